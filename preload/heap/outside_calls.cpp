// Calls that jemalloc makes and that must not reach their usual targets; jemalloc.rename sends them here.

#include <sys/mman.h>

#include "preload/heap/aliased_pages.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

using namespace memo::guest;

// free() must not change errno, but jemalloc asks the kernel for things that it can do without, such as
// giving back pages that the program has locked. Keeping errno here costs nothing on the paths that make no
// system call. A request that finds no memory still sets ENOMEM: jemalloc does that itself.

namespace {

// Takes the place of mapping pages anew, by which jemalloc gives memory back (without rights) and takes it again where
// the system does not overcommit.
bool stays_open(const void* pages, size_t length, int protection) {
  return protection != PROT_NONE || heap::empty_aliased_pages(pages, length);
}

// Advice on one address of shared pages drops that mapping alone, and not the memory. jemalloc takes a refusal to free
// pages later (MADV_FREE) for a kernel that cannot.
int give_back_aliased(const void* pages, size_t length, int advice) {
  return advice == MADV_DONTNEED && heap::empty_aliased_pages(pages, length) ? 0 : -1;
}

// The addresses stay mapped, and are never used again.
int give_up_aliased(const void* pages, size_t length) {
  (void)heap::empty_aliased_pages(pages, length);
  return 0;
}

}  // namespace

extern "C" {

void* memo_je_mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) {
  const KeptErrno kept;
  if (address == nullptr) {
    if (void* pages = heap::take_aliased_pages(length)) return pages;
  }
  if ((flags & MAP_FIXED) != 0 && heap::are_aliased(address))
    return stays_open(address, length, protection) ? address : MAP_FAILED;
  return mmap(address, length, protection, flags, file, offset);
}

int memo_je_munmap(void* address, size_t length) {
  const KeptErrno kept;
  if (heap::are_aliased(address)) return give_up_aliased(address, length);
  return munmap(address, length);
}

int memo_je_mprotect(void* address, size_t length, int protection) {
  const KeptErrno kept;
  return mprotect(address, length, protection);
}

int memo_je_madvise(void* address, size_t length, int advice) {
  const KeptErrno kept;
  if (heap::are_aliased(address) && (advice == MADV_DONTNEED || advice == MADV_FREE))
    return give_back_aliased(address, length, advice);
  return madvise(address, length, advice);
}

// jemalloc's sampling profiler needs an unwinder. The library must not bring one: any library that links one
// would give its _Unwind_* functions to the program. With `prof:true` in MALLOC_CONF, jemalloc's samples
// therefore have no stacks.
int memo_je_no_backtrace(int (*)(void*, void*), void*) {
  return 0;
}
unsigned long memo_je_no_frame(void*) {
  return 0;
}
}
