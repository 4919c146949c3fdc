#include "runtime/platform/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace memo::runtime {
namespace {

void* map(std::size_t bytes, int rights, int more_flags) {
  void* memory = mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void* map_pages(std::size_t bytes) {
  return map(bytes, PROT_READ | PROT_WRITE, 0);
}

void* map_sparse_pages(std::size_t bytes) {
  return map(bytes, PROT_READ | PROT_WRITE, MAP_NORESERVE);
}

void* reserve_addresses(std::size_t bytes) {
  return map(bytes, PROT_NONE, MAP_NORESERVE);
}

void unmap_pages(void* memory, std::size_t bytes) {
  munmap(memory, bytes);
}

bool open_pages(void* memory, std::size_t bytes) {
  return mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0;
}

bool make_executable(void* memory, std::size_t bytes) {
  return mprotect(memory, bytes, PROT_READ | PROT_EXEC) == 0;
}

void close_pages(void* memory, std::size_t bytes) {
  mprotect(memory, bytes, PROT_NONE);
}

// Touches each page where the kernel does not know, or does not allow, populating in one call.
bool populate_pages(void* memory, std::size_t bytes) {
  if (bytes == 0 || madvise(memory, bytes, MADV_POPULATE_WRITE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  const std::size_t page = page_bytes();
  for (std::size_t at = 0; at < bytes; at += page) static_cast<volatile char*>(memory)[at] = 0;
  return true;
}

bool populate_pages_in_use(void* memory, std::size_t bytes) {
  const int saved = errno;
  const bool populated = madvise(memory, bytes, MADV_POPULATE_WRITE) == 0;
  errno = saved;
  return populated;
}

void empty_pages(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
}

std::uint64_t resident_bytes(void* memory, std::size_t bytes) {
  constexpr std::size_t kAtOnce = 512;  // pages, one byte of the stack for each
  const std::size_t page = page_bytes();
  unsigned char states[kAtOnce];
  std::uint64_t resident = 0;
  for (std::size_t at = 0; at < bytes; at += kAtOnce * page) {
    const std::size_t part = std::min(bytes - at, kAtOnce * page);
    if (mincore(static_cast<char*>(memory) + at, part, states) != 0) continue;
    resident += static_cast<std::uint64_t>(std::count_if(
        states, states + (part + page - 1) / page, [](unsigned char state) { return (state & 1) != 0; }));
  }
  return resident * page;
}

// Maps the addresses at `to` again at once, unless something is there, if the kernel knows the call (Linux 5.7) and it
// fails all the same: the kernel may have freed these addresses already.
Moved move_pages(void* from, void* to, std::size_t bytes) {
  constexpr int kHow = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
  if (mremap(from, bytes, bytes, kHow, to) != MAP_FAILED) return Moved::kAll;
  if (errno == EINVAL || errno == ENOSYS || errno == EPERM) return Moved::kRefused;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  return mmap(to, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) == to ? Moved::kRefused : Moved::kLost;
}

void prefer_huge_pages(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_HUGEPAGE);
}

void join_pages(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_COLLAPSE);
}

void prefer_small_pages(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_NOHUGEPAGE);
}

}  // namespace memo::runtime
