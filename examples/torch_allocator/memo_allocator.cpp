#include "memo_allocator.h"

#include <ATen/record_function.h>
#include <c10/core/CPUAllocator.h>
#include <memomalloc/memomalloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

using Name = memo::tagged_ptr<void>;

// The alignment that vector instructions like, the same as that of PyTorch's own allocator. The room in front of a block, where
// the name stands, has as many bytes.
constexpr std::size_t kAlignment = 64;

// While MemoMalloc profiles, its own name for the block; else one of ours, which is as good for telling blocks apart.
Name make_name(void* block) {
  static std::atomic<std::uint16_t> next{1};
  memo_allocation known;
  if (memo_identify != nullptr && memo_identify(block, &known) != 0) return Name(known.tagged);
  return Name(block, next.fetch_add(1, std::memory_order_relaxed));
}

void free_named(void* data) {
  if (data != nullptr) std::free(static_cast<char*>(data) - kAlignment);
}

MemoAllocator g_allocator;

std::unique_ptr<at::ObserverContext> operator_begins(const at::RecordFunction& operation) {
  if (memo_scope_begin != nullptr) memo_scope_begin(operation.name());
  return nullptr;
}

void operator_ends(const at::RecordFunction&, at::ObserverContext*) {
  if (memo_scope_end != nullptr) memo_scope_end();
}

}  // namespace

c10::DataPtr MemoAllocator::allocate(std::size_t bytes) const {
  const c10::Device cpu(c10::DeviceType::CPU);
  if (bytes == 0) return {nullptr, cpu};
  void* block = nullptr;
  if (posix_memalign(&block, kAlignment, kAlignment + bytes) != 0) throw std::bad_alloc();
  *static_cast<Name*>(block) = make_name(block);
  void* data = static_cast<char*>(block) + kAlignment;
  return {data, data, &free_named, cpu};
}

c10::DeleterFnPtr MemoAllocator::raw_deleter() const {
  return &free_named;
}

void use_memo_allocator() {
  constexpr std::uint8_t kBeforeTheDefault = 1;
  c10::SetCPUAllocator(&g_allocator, kBeforeTheDefault);
}

OperatorScopes::OperatorScopes()
    : handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(operator_begins, operator_ends).scopes({at::RecordScope::FUNCTION}))) {}

OperatorScopes::~OperatorScopes() {
  at::removeCallback(handle_);
}

Pass::Pass(std::uint64_t key) {
  if (memo_pass_begin != nullptr) memo_pass_begin(key);
}

Pass::~Pass() {
  if (memo_pass_end != nullptr) memo_pass_end();
}

std::uint64_t key_of(const at::Tensor& images) {
  std::uint64_t key = 0x9e3779b97f4a7c15;
  for (const std::int64_t length : images.sizes())
    key = (key ^ static_cast<std::uint64_t>(length)) * 0x100000001b3;
  return key | 1;
}

memo::tagged_ptr<void> name_of(const at::Tensor& tensor) {
  const c10::DataPtr& block = tensor.storage().data_ptr();
  if (block.get_deleter() != &free_named) return nullptr;
  return *reinterpret_cast<const Name*>(static_cast<const char*>(block.get()) - kAlignment);
}
