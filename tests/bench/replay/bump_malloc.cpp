// A bump pointer behind malloc and free: what the calls alone cost, and so the least that any preloaded allocator can.
// Inside passes it goes round in a few megabytes and hands out again what is live; outside them it is glibc's.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "memomalloc/memomalloc.h"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace {

constexpr std::size_t kRound = std::size_t{2} << 20;    // as much as a small network's pass has live
constexpr std::size_t kReserve = std::size_t{1} << 30;  // for the block that begins at its end

struct Thread {
  char* memory;
  std::size_t at;
  bool in_pass;
};
thread_local constinit Thread t_self __attribute__((tls_model("initial-exec"))){};

void* bump(std::size_t size) {
  const std::size_t at = t_self.at < kRound ? t_self.at : 0;
  t_self.at = at + (size + 63) / 64 * 64;
  return t_self.memory + at;
}

}  // namespace

extern "C" {
int memo_pass_begin(std::uint64_t) {
  if (t_self.memory == nullptr) {
    t_self.memory = static_cast<char*>(
        mmap(nullptr, kReserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  t_self.at = 0;
  t_self.in_pass = true;
  return 1;
}

void memo_pass_end() {
  t_self.in_pass = false;
}

void* malloc(std::size_t size) {
  return t_self.in_pass ? bump(size) : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return t_self.in_pass ? bump(count * size) : __libc_calloc(count, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  *out = t_self.in_pass ? bump(size) : __libc_memalign(alignment, size);
  return 0;
}

// A replay frees in a pass what it allocated in it.
void free(void* block) {
  if (!t_self.in_pass) __libc_free(block);
}
}

void* operator new(std::size_t size) {
  return malloc(size);
}
void operator delete(void* block) noexcept {
  free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  free(block);
}
