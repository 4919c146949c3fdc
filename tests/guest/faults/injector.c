/* libfaults.so: lets the injected library's own system calls fail, and nobody else's.
 *
 * Preloaded beside libmemomalloc.so, it stands in front of the C library's names for system calls and looks who calls: by
 * the return address. A call of the guest's is counted by its name, and the chosen ones fail:
 *
 *     FAULTS_FAIL="mmap 3 12"     the third mmap fails with errno 12
 *     FAULTS_FAIL="mmap 3+ 12"    the third, and all after it
 *     FAULTS_FAIL="write 1 short" half of it is written
 *     FAULTS_FAIL="take 1 1"      the number of a file is taken by the program's file FAULTS_VICTIM, right before the library
 *                                 asks for the first time which file it shows
 *     FAULTS_GUEST=NAME           another library than libmemomalloc, by a part of its name
 *     FAULTS_REPORT=FILE          at the end: how often each was called, and how many failed; after a crash, where in
 *                                 the library it was, or which of its functions had called; and how many of the numbers
 *                                 that were taken show another file than the program's, or none
 *
 * Everybody else's calls go straight to the kernel, or where the kernel alone is not enough, to the C library's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kShort = -1 };

/* The names it stands in front of, and how often the guest has called each. */
struct Call {
  const char* name;
  unsigned count;
};
static struct Call g_calls[] = {
    {"access", 0},
    {"close", 0},
    {"fallocate", 0},
    {"fcntl", 0},
    {"fstat", 0},
    {"ftruncate", 0},
    {"getcwd", 0},
    {"getrlimit", 0},
    {"lstat", 0},
    {"madvise", 0},
    {"memfd_create", 0},
    {"mincore", 0},
    {"mmap", 0},
    {"mprotect", 0},
    {"mremap", 0},
    {"munmap", 0},
    {"open", 0},
    {"pwritev2", 0},
    {"read", 0},
    {"readlink", 0},
    {"rename", 0},
    {"stat", 0},
    {"statx", 0},
    {"syscall", 0},
    {"sysconf", 0},
    {"take", 0},
    {"tgkill", 0},
    {"unlink", 0},
    {"pthread_create", 0},
    {"write", 0},
    {"pthread_getattr_np", 0},
    {"sched_getaffinity", 0},
    {"sched_setaffinity", 0},
};
enum { kCalls = sizeof g_calls / sizeof g_calls[0] };

static unsigned g_failed;
static uintptr_t g_load, g_begin, g_end; /* of the guest, and of its code */

/* The call that is to fail; read once, before there is a second thread. */
static int g_choice_read;
static const struct Call* g_chosen;
static unsigned g_first;
static int g_and_after;
static int g_error;

#if defined(__x86_64__)
static long kernel(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
static long kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#endif

static long in_c(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}
#define KERNEL(number, a, b, c, d, e, f) \
  in_c(kernel(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)))

static struct Call* call_named(const char* name) {
  for (int call = 0; call < kCalls; ++call) {
    if (strcmp(name, g_calls[call].name) == 0) return &g_calls[call];
  }
  abort();
}

static void read_choice(void) {
  char name[32];
  char rest[16];
  char error[16];
  const char* text = getenv("FAULTS_FAIL");
  g_choice_read = 1;
  if (text == NULL || sscanf(text, "%31s %15s %15s", name, rest, error) != 3) return;
  g_first = (unsigned)strtoul(rest, NULL, 10);
  g_and_after = strchr(rest, '+') != NULL;
  g_error = strcmp(error, "short") == 0 ? kShort : atoi(error);
  g_chosen = call_named(name);
}

static int find_guest(struct dl_phdr_info* object, size_t bytes, void* unused) {
  (void)bytes, (void)unused;
  const char* name = getenv("FAULTS_GUEST");
  if (strstr(object->dlpi_name, name != NULL ? name : "libmemomalloc") == NULL) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
    g_load = object->dlpi_addr;
    g_begin = object->dlpi_addr + segment->p_vaddr;
    g_end = g_begin + segment->p_memsz;
  }
  return 1;
}

static void watch_for_crashes(void);

/* 0: let it through. Else the error number, or kShort. */
static int fault(const char* name, const void* caller) {
  if (g_begin == 0) dl_iterate_phdr(find_guest, NULL);
  const uintptr_t at = (uintptr_t)caller;
  if (at < g_begin || at >= g_end) return 0;
  if (!g_choice_read) read_choice();
  struct Call* call = call_named(name);
  const unsigned count = __atomic_add_fetch(&call->count, 1, __ATOMIC_RELAXED);
  if (call != g_chosen || count < g_first || (count > g_first && !g_and_after)) return 0;
  if (__atomic_add_fetch(&g_failed, 1, __ATOMIC_RELAXED) == 1) watch_for_crashes();
  return g_error;
}

#define FAULT(call) const int error = fault(#call, __builtin_return_address(0))
#define FAIL_IF_CHOSEN(call, failure) \
  FAULT(call);                        \
  if (error != 0) return errno = error, (failure)

#define EXPORT __attribute__((visibility("default")))

EXPORT void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  FAIL_IF_CHOSEN(mmap, MAP_FAILED);
  return (void*)KERNEL(SYS_mmap, at, bytes, protection, flags, file, offset);
}
EXPORT int munmap(void* at, size_t bytes) {
  FAIL_IF_CHOSEN(munmap, -1);
  return (int)KERNEL(SYS_munmap, at, bytes, 0, 0, 0, 0);
}
EXPORT int mprotect(void* at, size_t bytes, int protection) {
  FAIL_IF_CHOSEN(mprotect, -1);
  return (int)KERNEL(SYS_mprotect, at, bytes, protection, 0, 0, 0);
}
EXPORT int mincore(void* at, size_t bytes, unsigned char* states) {
  FAIL_IF_CHOSEN(mincore, -1);
  return (int)KERNEL(SYS_mincore, at, bytes, states, 0, 0, 0);
}

EXPORT int madvise(void* at, size_t bytes, int advice) {
  FAIL_IF_CHOSEN(madvise, -1);
  return (int)KERNEL(SYS_madvise, at, bytes, advice, 0, 0, 0);
}
EXPORT int open(const char* path, int flags, ...) {
  FAIL_IF_CHOSEN(open, -1);
  va_list more;
  va_start(more, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return (int)KERNEL(SYS_openat, AT_FDCWD, path, flags, mode, 0, 0);
}
EXPORT int close(int file) {
  FAULT(close);
  const int closed = (int)KERNEL(SYS_close, file, 0, 0, 0, 0, 0); /* it is closed even where it fails */
  if (error != 0) return errno = error, -1;
  return closed;
}
EXPORT ssize_t read(int file, void* out, size_t bytes) {
  FAULT(read);
  if (error > 0) return errno = error, -1;
  return KERNEL(SYS_read, file, out, error == kShort ? bytes / 2 : bytes, 0, 0, 0);
}
EXPORT ssize_t write(int file, const void* text, size_t bytes) {
  FAULT(write);
  if (error > 0) return errno = error, -1;
  return KERNEL(SYS_write, file, text, error == kShort ? bytes / 2 : bytes, 0, 0, 0);
}
EXPORT ssize_t pwritev2(int file, const struct iovec* parts, int count, off_t offset, int flags) {
  FAULT(pwritev2);
  if (error > 0) return errno = error, -1;
  struct iovec half = parts[0];
  half.iov_len = parts[0].iov_len / 2;
  if (error == kShort) return KERNEL(SYS_pwritev2, file, &half, 1, offset, 0, flags);
  return KERNEL(SYS_pwritev2, file, parts, count, offset, 0, flags);
}
EXPORT void* mremap(void* from, size_t before, size_t after, int how, ...) {
  FAIL_IF_CHOSEN(mremap, MAP_FAILED);
  va_list more;
  va_start(more, how);
  void* const to = (how & MREMAP_FIXED) != 0 ? va_arg(more, void*) : NULL;
  va_end(more);
  return (void*)KERNEL(SYS_mremap, from, before, after, how, to, 0);
}
EXPORT int fallocate(int file, int mode, off_t offset, off_t bytes) {
  FAIL_IF_CHOSEN(fallocate, -1);
  return (int)KERNEL(SYS_fallocate, file, mode, offset, bytes, 0, 0);
}
EXPORT int ftruncate(int file, off_t bytes) {
  FAIL_IF_CHOSEN(ftruncate, -1);
  return (int)KERNEL(SYS_ftruncate, file, bytes, 0, 0, 0, 0);
}
EXPORT int memfd_create(const char* name, unsigned flags) {
  FAIL_IF_CHOSEN(memfd_create, -1);
  return (int)KERNEL(SYS_memfd_create, name, flags, 0, 0, 0, 0);
}
EXPORT int fstat(int file, struct stat* about) {
  FAIL_IF_CHOSEN(fstat, -1);
  return (int)KERNEL(SYS_newfstatat, file, "", about, AT_EMPTY_PATH, 0, 0);
}
EXPORT int stat(const char* path, struct stat* about) {
  FAIL_IF_CHOSEN(stat, -1);
  return (int)KERNEL(SYS_newfstatat, AT_FDCWD, path, about, 0, 0, 0);
}
EXPORT int lstat(const char* path, struct stat* about) {
  FAIL_IF_CHOSEN(lstat, -1);
  return (int)KERNEL(SYS_newfstatat, AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW, 0, 0);
}
EXPORT int access(const char* path, int mode) {
  FAIL_IF_CHOSEN(access, -1);
  return (int)KERNEL(SYS_faccessat, AT_FDCWD, path, mode, 0, 0, 0);
}
EXPORT ssize_t readlink(const char* path, char* out, size_t bytes) {
  FAIL_IF_CHOSEN(readlink, -1);
  return KERNEL(SYS_readlinkat, AT_FDCWD, path, out, bytes, 0, 0);
}
EXPORT int rename(const char* from, const char* to) {
  FAIL_IF_CHOSEN(rename, -1);
  return (int)KERNEL(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0, 0);
}
EXPORT int unlink(const char* path) {
  FAIL_IF_CHOSEN(unlink, -1);
  return (int)KERNEL(SYS_unlinkat, AT_FDCWD, path, 0, 0, 0, 0);
}
EXPORT char* getcwd(char* out, size_t bytes) {
  FAIL_IF_CHOSEN(getcwd, NULL);
  return KERNEL(SYS_getcwd, out, bytes, 0, 0, 0, 0) < 0 ? NULL : out;
}
EXPORT int getrlimit(__rlimit_resource_t which, struct rlimit* limit) {
  FAIL_IF_CHOSEN(getrlimit, -1);
  return (int)KERNEL(SYS_prlimit64, 0, which, NULL, limit, 0, 0);
}
EXPORT int tgkill(pid_t group, pid_t thread, int number) {
  FAIL_IF_CHOSEN(tgkill, -1);
  return (int)KERNEL(SYS_tgkill, group, thread, number, 0, 0, 0);
}
/* Names a call that goes by its number, so that it is counted under its name where it has one. */
static const char* name_of(long number) {
  switch (number) {
    case SYS_close:
      return "close";
    case SYS_fallocate:
      return "fallocate";
    case SYS_fcntl:
      return "fcntl";
    case SYS_newfstatat:
      return "fstat";
    case SYS_openat:
      return "open";
    case SYS_prlimit64:
      return "getrlimit";
    case SYS_pwritev2:
      return "pwritev2";
    case SYS_read:
      return "read";
    case SYS_statx:
      return "statx";
    case SYS_write:
      return "write";
    default:
      return "syscall";
  }
}

/* The numbers that the program's file was laid over. */
static unsigned char g_taken[4096];

static void take(long number) {
  const char* path = getenv("FAULTS_VICTIM");
  const long file = path == NULL ? -1 : kernel(SYS_openat, AT_FDCWD, (long)path, O_RDWR, 0, 0, 0);
  if (file < 0 || number >= (long)sizeof g_taken) return;
  if (file != number) kernel(SYS_dup3, file, number, O_CLOEXEC, 0, 0, 0);
  if (file != number) kernel(SYS_close, file, 0, 0, 0, 0, 0);
  g_taken[number] = 1;
}

/* No number is taken while another thread is between having asked whose it is and using it: what is done in between is beyond
 * the library, which has no call that does both. */
static int g_taking; /* a thread waits until nobody is in between, or takes */
static unsigned g_in_between;
static __thread unsigned t_in_between;

static void leave_between(void) {
  if (t_in_between) __atomic_sub_fetch(&g_in_between, 1, __ATOMIC_SEQ_CST);
  t_in_between = 0;
}

/* A thread that asked and then had nothing to do is not waited for for ever, nor is one that a fork left in the parent. */
enum { kPatience = 10000 };

static void enter_between(void) {
  if (t_in_between) return;
  for (int wait = 0; wait < kPatience; ++wait) {
    if (__atomic_load_n(&g_taking, __ATOMIC_SEQ_CST)) {
      kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
      continue;
    }
    __atomic_add_fetch(&g_in_between, 1, __ATOMIC_SEQ_CST);
    t_in_between = 1;
    if (!__atomic_load_n(&g_taking, __ATOMIC_SEQ_CST)) return;
    leave_between();
  }
}

static void take_alone(long number) {
  leave_between();
  if (__atomic_exchange_n(&g_taking, 1, __ATOMIC_SEQ_CST)) return; /* so does another thread */
  for (int wait = 0; wait < kPatience && __atomic_load_n(&g_in_between, __ATOMIC_SEQ_CST) != 0; ++wait)
    kernel(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  if (__atomic_load_n(&g_in_between, __ATOMIC_SEQ_CST) == 0) take(number);
  __atomic_store_n(&g_taking, 0, __ATOMIC_SEQ_CST);
}

static unsigned count_harmed(void) {
  const char* path = getenv("FAULTS_VICTIM");
  struct stat victim, now;
  unsigned harmed = 0;
  if (path == NULL || kernel(SYS_newfstatat, AT_FDCWD, (long)path, (long)&victim, 0, 0, 0) != 0) return 0;
  for (long number = 0; number < (long)sizeof g_taken; ++number) {
    if (!g_taken[number]) continue;
    const int open = kernel(SYS_newfstatat, number, (long)"", (long)&now, AT_EMPTY_PATH, 0, 0) == 0;
    harmed += !open || now.st_ino != victim.st_ino || now.st_dev != victim.st_dev;
  }
  return harmed;
}

static int writes_parts(long number) {
  return number == SYS_pwritev2;
}

static int moves_bytes(long number) {
  return number == SYS_read || number == SYS_write;
}

EXPORT long syscall(long number, ...) {
  const void* caller = __builtin_return_address(0);
  va_list more;
  va_start(more, number);
  long arguments[6];
  for (int i = 0; i < 6; ++i) arguments[i] = va_arg(more, long);
  va_end(more);
  const int file = (int)arguments[0];
  const int asks = number == SYS_statx && file > STDERR_FILENO;
  if (asks && fault("take", caller) != 0) take_alone(file);
  if (asks) enter_between();
  const int error = fault(name_of(number), caller);
  if (error > 0 && number == SYS_close)
    KERNEL(number, file, 0, 0, 0, 0, 0); /* it is closed even where it fails */
  if (error > 0) return errno = error, -1;
  struct iovec half;
  if (error == kShort && moves_bytes(number)) arguments[2] /= 2;
  if (error == kShort && writes_parts(number)) {
    half = *(const struct iovec*)arguments[1];
    half.iov_len /= 2;
    arguments[1] = (long)&half;
    arguments[2] = 1;
  }
  const long result =
      KERNEL(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (!asks) leave_between();
  return result;
}

/* The C library's own function. It does the work where it makes more than one call. The guest comes to these late. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

EXPORT int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t* set) {
  FAIL_IF_CHOSEN(sched_getaffinity, -1);
  const long held = KERNEL(SYS_sched_getaffinity, process, bytes, set, 0, 0, 0);
  if (held < 0) return -1;
  memset((char*)set + held, 0, bytes - (size_t)held);
  return 0;
}
EXPORT int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t* set) {
  FAIL_IF_CHOSEN(sched_setaffinity, -1);
  return (int)KERNEL(SYS_sched_setaffinity, process, bytes, set, 0, 0, 0);
}
EXPORT long sysconf(int name) {
  if (name == _SC_PAGESIZE) return REAL(sysconf)(name); /* no system call */
  FAIL_IF_CHOSEN(sysconf, -1);
  return REAL(sysconf)(name);
}
EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*), void* argument) {
  FAULT(pthread_create);
  return error != 0 ? error : REAL(pthread_create)(thread, how, run, argument);
}
EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* how) {
  FAULT(pthread_getattr_np);
  return error != 0 ? error : REAL(pthread_getattr_np)(thread, how);
}

/* `crashed_at`: an offset in the library, 0 for an end that is none. */
static void write_report(uintptr_t crashed_at) {
  char text[2048];
  int length = snprintf(text, sizeof text, "failed %u\ncrashed %lu\n", g_failed, (unsigned long)crashed_at);
  length += snprintf(text + length, sizeof text - (size_t)length, "harmed %u\n", count_harmed());
  for (int call = 0; call < kCalls; ++call) {
    if (g_calls[call].count == 0) continue;
    length += snprintf(text + length, sizeof text - (size_t)length, "%s %u\n", g_calls[call].name,
                       g_calls[call].count);
  }
  const char* path = getenv("FAULTS_REPORT");
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  const long file = path == NULL ? -1 : kernel(SYS_openat, AT_FDCWD, (long)path, flags, 0644, 0, 0);
  if (file >= 0) kernel(SYS_write, file, (long)text, length, 0, 0, 0);
}

static int is_guest_code(uintptr_t address) {
  return address >= g_begin && address < g_end;
}

/* The crash itself, or the return address that lies next on the stack: who called what crashed. */
static uintptr_t guest_code_of(const ucontext_t* at) {
#if defined(__x86_64__)
  const uintptr_t code = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
  const uintptr_t* stack = (const uintptr_t*)at->uc_mcontext.gregs[REG_RSP];
#else
  const uintptr_t code = (uintptr_t)at->uc_mcontext.pc;
  const uintptr_t* stack = (const uintptr_t*)at->uc_mcontext.sp;
#endif
  if (is_guest_code(code)) return code;
  for (int word = 0; word < 64; ++word) {
    if (is_guest_code(stack[word])) return stack[word];
  }
  return g_load + 1;
}

static void on_crash(int number, siginfo_t* info, void* context) {
  (void)info;
  write_report(guest_code_of((const ucontext_t*)context) - g_load);
  kernel(SYS_exit_group, 128 + number, 0, 0, 0, 0, 0);
}

/* Set up by the first failure: the library starts before any constructor. */
static void watch_for_crashes(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_crash;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, NULL);
}

__attribute__((destructor)) static void report(void) {
  write_report(0);
}
