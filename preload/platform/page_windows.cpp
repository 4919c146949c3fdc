#include "preload/platform/page_windows.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/pages.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

namespace memo::guest::platform {
namespace {

constexpr int kMostShift = 36;   // 64 GiB
constexpr int kLeastShift = 26;  // 64 MiB: what grows in smaller ones is soon out of them
constexpr int kMembarrierGlobal = 1;

// Finding an aligned place takes twice the windows' addresses for a moment, and the mappings after them once more.
constexpr std::uint64_t kAddressesForEachByte = 4;

std::size_t window_bytes(const PageWindows& windows) {
  return std::size_t{1} << windows.shift;
}
std::size_t all_bytes(const PageWindows& windows) {
  return window_bytes(windows) << windows.bits;
}
std::size_t count(const PageWindows& windows) {
  return std::size_t{1} << windows.bits;
}

void* place_in(std::uintptr_t begin, const PageWindows& windows, std::size_t number, std::size_t offset) {
  return reinterpret_cast<void*>(begin + number * window_bytes(windows) + offset);
}

int shift_that_fits(int bits) {
  const std::uint64_t room = runtime::room_of_addresses();
  int shift = kMostShift;
  while (shift >= kLeastShift && kAddressesForEachByte << (shift + bits) > room) --shift;
  return shift;
}

// Returns a file without a name, or a negative number. A kernel before 6.3 does not know the second flag, and some later
// ones insist on it.
int make_object(std::size_t bytes) {
  int file = memfd_create("memomalloc", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (file < 0) file = memfd_create("memomalloc", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    close(file);
    return -1;
  }
  return file;
}

// Reserves addresses that begin at a multiple of `bytes`, a power of two. Returns 0 where there are none.
std::uintptr_t reserve_aligned(std::size_t bytes) {
  void* const reserved = runtime::reserve_addresses(2 * bytes);
  if (reserved == nullptr) return 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved);
  const std::uintptr_t aligned = (begin + bytes - 1) & ~(bytes - 1);
  if (aligned != begin) runtime::unmap_pages(reserved, aligned - begin);
  runtime::unmap_pages(reinterpret_cast<void*>(aligned + bytes), begin + bytes - aligned);
  return aligned;
}

bool map_each(std::uintptr_t begin, const PageWindows& windows, int file, int flags) {
  for (std::size_t number = 0; number < count(windows); ++number) {
    if (mmap(place_in(begin, windows, number, 0), window_bytes(windows), PROT_NONE,
             flags | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED)
      return false;
  }
  return true;
}

void unmap_all(std::uintptr_t begin, const PageWindows& windows) {
  if (begin != 0) runtime::unmap_pages(reinterpret_cast<void*>(begin), all_bytes(windows));
}

bool map_windows(PageWindows& windows, int file) {
  windows.first = reserve_aligned(all_bytes(windows));
  windows.spare = reinterpret_cast<std::uintptr_t>(runtime::reserve_addresses(all_bytes(windows)));
  if (windows.first != 0 && windows.spare != 0 && map_each(windows.first, windows, file, MAP_SHARED) &&
      map_each(windows.spare, windows, file, MAP_PRIVATE))
    return true;
  unmap_all(windows.first, windows);
  unmap_all(windows.spare, windows);
  return false;
}

// Tries what parts the windows, since a refusal would come too late then. A sandbox may forbid it.
bool may_move_mappings() {
  const std::size_t page = runtime::page_bytes();
  auto* const pages = static_cast<char*>(runtime::reserve_addresses(2 * page));
  if (pages == nullptr) return false;
  const bool moved = mremap(pages, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, pages + page) != MAP_FAILED;
  runtime::unmap_pages(pages, 2 * page);
  return moved;
}

bool open_each(std::uintptr_t begin, const PageWindows& windows, std::size_t opened, std::size_t bytes) {
  for (std::size_t number = 0; number < count(windows); ++number) {
    if (!runtime::open_pages(place_in(begin, windows, number, opened), bytes)) return false;
  }
  return true;
}

}  // namespace

const char* make_windows(int bits, PageWindows& windows) {
  const KeptErrno kept;
  PageWindows made{.shift = shift_that_fits(bits), .bits = bits};
  if (made.shift < kLeastShift) return "ulimit -v leaves too few addresses";
  if (greatest_file_bytes() < window_bytes(made)) return "ulimit -f allows no file of the heap's size";
  if (!may_move_mappings()) return "the kernel moves no mappings, which a fork would need";
  const int file = make_object(window_bytes(made));
  if (file < 0) return "the kernel gives no memory that can be mapped twice";
  const bool mapped = map_windows(made, file);
  close(file);
  if (!mapped) return "the kernel has too few addresses or mappings left";
  windows = made;
  return nullptr;
}

bool open_windows(const PageWindows& windows, std::size_t opened, std::size_t bytes) {
  const KeptErrno kept;
  return open_each(windows.first, windows, opened, bytes) && open_each(windows.spare, windows, opened, bytes);
}

bool empty_windows(const void* in_first_window, std::size_t bytes) {
  const KeptErrno kept;
  return madvise(const_cast<void*>(in_first_window), bytes, MADV_REMOVE) == 0;
}

// The barrier separates threads that still see the word of before: what they stored by then is in the object before its first
// window is replaced. The kernel replaces a mapping as one step: threads that touch it meanwhile wait.
bool part_windows(const PageWindows& windows, std::size_t opened) {
  const KeptErrno kept;
  syscall(SYS_membarrier, kMembarrierGlobal, 0, 0);
  for (std::size_t number = 0; number < count(windows); ++number)
    runtime::unmap_pages(place_in(windows.spare, windows, number, opened), window_bytes(windows) - opened);
  for (std::size_t number = 0; number < count(windows); ++number) {
    if (mremap(place_in(windows.spare, windows, number, 0), opened, opened, MREMAP_MAYMOVE | MREMAP_FIXED,
               place_in(windows.first, windows, number, 0)) == MAP_FAILED)
      return false;
  }
  return true;
}

}  // namespace memo::guest::platform
