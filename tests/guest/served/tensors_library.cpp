// Stands in for libc10.so, as far as tensors go: c10::alloc_cpu and c10::free_cpu under their own names, on memory of their
// own, and code of the same library that calls them through its slots, or directly where it is linked so.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "tensors.h"

bool FLAGS_caffe2_cpu_allocator_do_zero_fill = false;

namespace {

constexpr std::size_t kPage = 4096;
std::atomic<std::uint64_t> g_own_blocks;

// A page in front of the block holds its length: memory that no other allocator could take back.
void* map_block(std::size_t bytes) {
  const std::size_t length = kPage + ((bytes + kPage - 1) & ~(kPage - 1));
  void* page = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  *static_cast<std::size_t*>(page) = length;
  return static_cast<char*>(page) + kPage;
}

}  // namespace

namespace c10 {

void* alloc_cpu(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* block = bytes > PTRDIFF_MAX - 2 * kPage ? nullptr : map_block(bytes);
  if (block == nullptr) throw std::bad_alloc();
  ++g_own_blocks;
  return block;
}

void free_cpu(void* block) {
  if (block == nullptr) return;
  --g_own_blocks;
  void* page = static_cast<char*>(block) - kPage;
  munmap(page, *static_cast<std::size_t*>(page));
}

}  // namespace c10

void* make_tensor(std::size_t bytes) {
  return c10::alloc_cpu(bytes);
}
void drop_tensor(void* block) {
  c10::free_cpu(block);
}
std::uint64_t own_blocks() {
  return g_own_blocks;
}
