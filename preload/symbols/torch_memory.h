// Decides who allocates the memory of PyTorch's tensors. libc10.so hands it out by two functions, c10::alloc_cpu and
// c10::free_cpu. On x86-64 they call posix_memalign and free, and so reach this library anyway. On AArch64 they have been
// mimalloc inside libc10.so since PyTorch 2.10, and no malloc is seen: there this library takes their place.
#pragma once

#include <cstddef>

namespace memo::guest {

// The functions as PyTorch defines them, and how PyTorch wants its memory.
struct TorchMemory {
  void* (*allocate)(std::size_t bytes);
  void (*release)(void* block);
  const bool* fill_with_zeros;  // a flag that the program may set at any time
};

// Integers and no enumeration: not every compiler accepts enumerations in the __atomic built-ins.
using TensorOwner = int;
inline constexpr TensorOwner kUndecided = 0;
inline constexpr TensorOwner kTorch = 1;
inline constexpr TensorOwner kThisLibrary = 2;

extern TensorOwner g_tensor_owner;
extern TorchMemory g_torch_memory;

// Decides at the first tensor, for the rest of the process. Takes PyTorch's place if
//   - this process is profiled or served;
//   - libc10.so does not call posix_memalign: otherwise its tensors are seen as they are, with its settings for huge pages;
//   - libc10.so calls both functions through slots, which lead here: a block of the one allocator must not come to the
//     other's release;
//   - no debugging flag asks for junk in new memory.
TensorOwner decide_tensor_owner();

[[gnu::always_inline]] inline bool owns_tensors() {
  TensorOwner owner = __atomic_load_n(&g_tensor_owner, __ATOMIC_ACQUIRE);
  if (__builtin_expect(owner == kUndecided, 0)) owner = decide_tensor_owner();
  return owner == kThisLibrary;
}

}  // namespace memo::guest
