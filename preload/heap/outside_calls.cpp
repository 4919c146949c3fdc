// Calls that jemalloc makes and that must not reach their usual targets; jemalloc.rename sends them here.

#include <sys/mman.h>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

using memo::guest::KeptErrno;

// free() must not change errno, but jemalloc asks the kernel for things that it can do without, such as
// giving back pages that the program has locked. Keeping errno here costs nothing on the paths that make no
// system call. A request that finds no memory still sets ENOMEM: jemalloc does that itself.

extern "C" {

void* memo_je_mmap(void* address, size_t length, int protection, int flags, int file, off_t offset) {
  const KeptErrno kept;
  return mmap(address, length, protection, flags, file, offset);
}

int memo_je_munmap(void* address, size_t length) {
  const KeptErrno kept;
  return munmap(address, length);
}

int memo_je_mprotect(void* address, size_t length, int protection) {
  const KeptErrno kept;
  return mprotect(address, length, protection);
}

int memo_je_madvise(void* address, size_t length, int advice) {
  const KeptErrno kept;
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
