// MemoMalloc inside PyTorch instead of under it: an allocator for tensors whose every block carries its name, and
// operators that say who they are.
#pragma once

#include <ATen/ATen.h>
#include <c10/core/Allocator.h>

#include <memomalloc/tagged_ptr.h>

#include <cstdint>

// The block's tagged pointer stands in front of its bytes: it names the allocation, also after the address has been
// used again by another. PyTorch gets the plain address, as data and as context: what kernels hand to vector
// instructions and other libraries must be canonical, and oneDNN's scratch memory comes through the raw interface, for
// which the two must be one.
class MemoAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) const override;
  c10::DeleterFnPtr raw_deleter() const override;
};

// Serves all tensors on the CPU from now on.
void use_memo_allocator();

// Every operator PyTorch dispatches on this thread becomes a scope, while it lives.
class OperatorScopes {
 public:
  OperatorScopes();
  ~OperatorScopes();
  OperatorScopes(const OperatorScopes&) = delete;
  OperatorScopes& operator=(const OperatorScopes&) = delete;

 private:
  std::uint64_t handle_;
};

// A forward run: begins a pass of this key, and ends it however the run is left.
class Pass {
 public:
  explicit Pass(std::uint64_t key);
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
};

// Tells shapes apart, never 0.
std::uint64_t key_of(const at::Tensor& images);

// The name of the block a tensor lies in: null where the allocator is not the one above.
memo::tagged_ptr<void> name_of(const at::Tensor& tensor);
