// c10::alloc_cpu and c10::free_cpu, from which PyTorch gets the memory of its tensors, for a PyTorch that brings an allocator
// of its own (torch_memory.h). In any other process a call goes on to PyTorch's own function.

#include <cstdint>
#include <cstring>

#include "preload/symbols/entry.h"
#include "preload/symbols/entry_aligned.h"
#include "preload/symbols/torch_memory.h"

using namespace memo::guest;

namespace {

constexpr std::size_t kTensorAlignment = 64;  // c10::gAlignment

// Lets PyTorch refuse in its own words, with its own exception, which this library could not make. A block that
// PyTorch finds after all goes back to it, since its release would come here; the next request cannot be met.
[[gnu::cold, gnu::noinline]] void* let_torch_refuse(std::size_t bytes) {
  void* block = g_torch_memory.allocate(bytes);
  g_torch_memory.release(block);
  return g_torch_memory.allocate(PTRDIFF_MAX);
}

}  // namespace

MEMO_EXPORT void* _ZN3c109alloc_cpuEm(std::size_t bytes) {
  if (!owns_tensors()) return g_torch_memory.allocate(bytes);
  if (bytes == 0) return nullptr;
  void* block = nullptr;
  if (enter_posix_memalign(&block, kTensorAlignment, bytes, MEMO_CALL_SITE()) != 0)
    return let_torch_refuse(bytes);
  if (*g_torch_memory.fill_with_zeros) std::memset(block, 0, bytes);
  return block;
}

MEMO_EXPORT void _ZN3c108free_cpuEPv(void* block) {
  if (!owns_tensors()) return g_torch_memory.release(block);
  enter_free(block, MEMO_CALL_SITE());
}
