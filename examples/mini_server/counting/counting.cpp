// Preloaded into mini_server, counts what each forward pass allocates on its thread between entry and exit,
// and writes a line of JSON for each to the file that MINI_COUNT names (standard error without it):
//
//   {"pass":1,"thread":4711,"allocations":1500,"bytes":123456789,"frees":1500}
//
// It calls on to the next library's functions, so it can stand in front of another allocator: what a profiler
// behind it records can be held against what the program really did. A realloc counts as an allocation of its
// new size and, where it had a block, a free. Sizes are those the program asked for.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "examples/mini_server/network/network.h"

namespace {

struct Counts {
  bool in_pass;
  std::uint64_t allocations;
  std::uint64_t bytes;
  std::uint64_t frees;
};

thread_local Counts counts __attribute__((tls_model("initial-exec")));
std::atomic<std::uint64_t> passes;

// The function of that name in the libraries behind this one. Not cached in a guarded static: it is looked up
// before any constructor has run.
void* next(std::atomic<void*>& cache, const char* name) {
  void* function = cache.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = dlsym(RTLD_NEXT, name);
    cache.store(function, std::memory_order_relaxed);
  }
  return function;
}

#define MINI_NEXT(name)                                           \
  ([]() {                                                         \
    static constinit std::atomic<void*> cache{nullptr};           \
    return reinterpret_cast<decltype(&name)>(next(cache, #name)); \
  }())

void* counted(void* block, std::size_t size) {
  if (counts.in_pass && block != nullptr) {
    ++counts.allocations;
    counts.bytes += size;
  }
  return block;
}

int open_report() {
  const char* path = std::getenv("MINI_COUNT");
  return path == nullptr ? STDERR_FILENO : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

void report() {
  static const int file = open_report();
  char line[160];
  const int length = std::snprintf(
      line, sizeof(line),
      "{\"pass\":%llu,\"thread\":%ld,\"allocations\":%llu,\"bytes\":%llu,\"frees\":%llu}\n",
      static_cast<unsigned long long>(++passes), syscall(SYS_gettid),
      static_cast<unsigned long long>(counts.allocations), static_cast<unsigned long long>(counts.bytes),
      static_cast<unsigned long long>(counts.frees));
  if (write(file, line, static_cast<std::size_t>(length)) != length) std::perror("mini_count");
}

void* operator_new(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void* operator_new(std::size_t size, std::align_val_t alignment) {
  void* block = nullptr;
  if (posix_memalign(&block, static_cast<std::size_t>(alignment), size) != 0) throw std::bad_alloc();
  return block;
}

}  // namespace

extern "C" {

MINI_API void mini_forward(const mini::Network& network, const mini::Tensor& input, float* logits) {
  const auto forward = MINI_NEXT(mini_forward);
  counts = {.in_pass = true, .allocations = 0, .bytes = 0, .frees = 0};
  forward(network, input, logits);
  counts.in_pass = false;
  report();
}

MINI_API void* malloc(std::size_t size) noexcept {
  return counted(MINI_NEXT(malloc)(size), size);
}

MINI_API void* calloc(std::size_t count, std::size_t size) noexcept {
  return counted(MINI_NEXT(calloc)(count, size), count * size);
}

MINI_API void* realloc(void* block, std::size_t size) noexcept {
  if (block != nullptr && counts.in_pass) ++counts.frees;
  return counted(MINI_NEXT(realloc)(block, size), size);
}

MINI_API int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  const int error = MINI_NEXT(posix_memalign)(out, alignment, size);
  if (error == 0) counted(*out, size);
  return error;
}

MINI_API void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(MINI_NEXT(aligned_alloc)(alignment, size), size);
}

MINI_API void free(void* block) noexcept {
  if (block != nullptr && counts.in_pass) ++counts.frees;
  MINI_NEXT(free)(block);
}
}

MINI_API void* operator new(std::size_t size) {
  return operator_new(size);
}
MINI_API void* operator new[](std::size_t size) {
  return operator_new(size);
}
MINI_API void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
MINI_API void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
MINI_API void* operator new(std::size_t size, std::align_val_t alignment) {
  return operator_new(size, alignment);
}
MINI_API void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator_new(size, alignment);
}
MINI_API void operator delete(void* block) noexcept {
  std::free(block);
}
MINI_API void operator delete[](void* block) noexcept {
  std::free(block);
}
MINI_API void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
MINI_API void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
MINI_API void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
MINI_API void operator delete[](void* block, std::align_val_t) noexcept {
  std::free(block);
}
