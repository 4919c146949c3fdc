#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/own_file.h"

namespace memo::guest::platform {
namespace {

constexpr int kForAppend = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

// The files that stdin, stdout and stderr were when the library started; no file where one was closed.
constinit runtime::FileIdentity g_standard_files[STDERR_FILENO + 1];

bool is_as_at_start(int standard_file) {
  runtime::FileIdentity now;
  return runtime::identify_descriptor(standard_file, &now) && now.is_same_as(g_standard_files[standard_file]);
}

// Writes to stderr with a system call of its own. The C library's functions may belong to a sanitizer that is
// not ready yet when the library writes its first line.
struct Stderr {
  static ssize_t write(const char* bytes, std::size_t length) {
    if (is_as_at_start(STDERR_FILENO)) return syscall(SYS_write, STDERR_FILENO, bytes, length);
    errno = EBADF;
    return -1;
  }
};

// Writes all bytes. Returns 0 or the error number.
template <typename File>
int write_fully(const File& file, const char* bytes, std::size_t length) {
  while (length != 0) {
    const long written = file.write(bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    length -= static_cast<std::size_t>(written);
  }
  return 0;
}

// The dynamic symbols of one loaded object.
struct SymbolTable {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
};

// The loader has already added the load address to these entries where it can write them. Where it cannot
// (the kernel's own object), the entries are still relative.
template <typename T>
const T* pointer_in(const dl_phdr_info& object, ElfW(Addr) value) {
  if (value < object.dlpi_addr) value += object.dlpi_addr;
  return reinterpret_cast<const T*>(value);
}

SymbolTable symbol_table_of(const dl_phdr_info& object, const ElfW(Dyn) * entry) {
  SymbolTable table;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) table.symbols = pointer_in<ElfW(Sym)>(object, value);
    if (entry->d_tag == DT_STRTAB) table.names = pointer_in<char>(object, value);
    if (entry->d_tag == DT_GNU_HASH) table.gnu_hash = pointer_in<std::uint32_t>(object, value);
  }
  return table;
}

SymbolTable symbol_table_of(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    return symbol_table_of(
        object, reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr));
  }
  return {};
}

std::uint32_t gnu_hash_of(const char* name) {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// Returns true if the object defines the symbol. The hash section holds four counts, a Bloom filter of
// machine words, the buckets, and one hash for each hashed symbol; the last hash of a bucket has its lowest
// bit set.
bool defines(const SymbolTable& table, const char* name) {
  if (table.gnu_hash == nullptr || table.symbols == nullptr || table.names == nullptr) return false;
  const std::uint32_t bucket_count = table.gnu_hash[0];
  const std::uint32_t first_hashed = table.gnu_hash[1];
  const std::uint32_t bloom_words = table.gnu_hash[2];
  const std::uint32_t* buckets =
      table.gnu_hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* hashes = buckets + bucket_count;
  if (bucket_count == 0) return false;
  const std::uint32_t hash = gnu_hash_of(name);
  std::uint32_t index = buckets[hash % bucket_count];
  if (index < first_hashed) return false;
  for (;; ++index) {
    const std::uint32_t candidate = hashes[index - first_hashed];
    if ((candidate | 1) == (hash | 1) && std::strcmp(table.names + table.symbols[index].st_name, name) == 0) {
      return table.symbols[index].st_shndx != SHN_UNDEF;
    }
    if ((candidate & 1) != 0) return false;
  }
}

}  // namespace

const char* secure_environment(const char* name) {
  return secure_getenv(name);
}

int append_to_file(const char* path, const char* bytes, std::size_t length) {
  if (leads_to_another_standard_file(path)) return EBADF;
  runtime::OwnFile file;
  if (!file.open(path, kForAppend, 0644)) return errno;
  const int error = write_fully(file, bytes, length);
  file.close();
  return error;
}

void remember_standard_files() {
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    if (!runtime::identify_descriptor(number, &g_standard_files[number])) g_standard_files[number] = {};
  }
}

bool leads_to_another_standard_file(const char* path) {
  static constexpr const char* kNames[][3] = {{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"},
                                              {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                                              {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}};
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    for (const char* name : kNames[number]) {
      if (std::strcmp(path, name) == 0) return !is_as_at_start(number);
    }
  }
  return false;
}

void write_to_stderr(const char* bytes, std::size_t length) {
  write_fully(Stderr{}, bytes, length);
}

const char* describe_error(int error) {
  const char* words = strerrordesc_np(error);
  return words != nullptr ? words : "unknown error";
}

unsigned long process_id() {
  return static_cast<unsigned long>(getpid());
}

int check_readable(const char* path) {
  return access(path, R_OK) == 0 ? 0 : errno;
}

unsigned long greatest_file_bytes() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

const char* program_path() {
  const char* path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return path != nullptr ? path : "this program";
}

const char* own_path() {
  Dl_info about{};
  return dladdr(reinterpret_cast<const void*>(&own_path), &about) != 0 && about.dli_fname != nullptr
             ? about.dli_fname
             : "";
}

namespace {

// Two processes share the memory of this one, one after the other, while the calling thread stands still. The
// first, the go-between, is reaped here at once, without SIGCHLD and unseen by any wait() of the program. The
// second is its child, and becomes the program to be started.
constexpr std::size_t kStackBytes = 1U << 16;

struct Detached {
  const char* const* words;
  const char* errors;
  char* stack_end;  // end of the second process's stack
  int error;
};

bool take_files(const char* errors) {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) return false;
  const int own = is_as_at_start(STDERR_FILENO) ? STDERR_FILENO : nothing;
  const int log = errors != nullptr ? open(errors, kForAppend, 0644) : own;
  if (dup2(log >= 0 ? log : nothing, STDERR_FILENO) < 0) return false;
  return close_range(STDERR_FILENO + 1, ~0U, 0) == 0;
}

int become_program(void* argument) {
  auto& what = *static_cast<Detached*>(argument);
  static const char* const kEnvironment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", nullptr};
  sigset_t none;
  sigemptyset(&none);
  setsid();
  // Signals that are pending were not meant for this process. No handler of the program ever runs in it: execve
  // comes first, or _exit.
  if (take_files(what.errors)) {
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(what.words[0], const_cast<char* const*>(what.words), const_cast<char* const*>(kEnvironment));
  }
  what.error = errno;
  _exit(127);
}

int go_between(void* argument) {
  auto& what = *static_cast<Detached*>(argument);
  if (clone(become_program, what.stack_end, CLONE_VM | CLONE_VFORK | SIGCHLD, argument) < 0)
    what.error = errno;
  _exit(0);
}

// Starts the go-between and waits for its end. It sends no signal when it ends, so only a wait with __WCLONE
// finds it.
int run_go_between(Detached& what, char* stack_end) {
  const int child = clone(go_between, stack_end, CLONE_VM | CLONE_VFORK, &what);
  if (child < 0) return errno;
  constexpr int kWithoutSignal = static_cast<int>(__WCLONE);
  while (waitpid(child, nullptr, kWithoutSignal) < 0 && errno == EINTR) {
  }
  return what.error;
}

}  // namespace

int start_detached(const char* const* words, const char* errors) {
  void* stacks =
      mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return errno;
  char* const end = static_cast<char*>(stacks) + 2 * kStackBytes;
  Detached what{words, errors, end, 0};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const int error = run_go_between(what, end - kStackBytes);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  munmap(stacks, 2 * kStackBytes);
  return error;
}

#if defined(__x86_64__)
// Asks for linear address masking, which exists since Linux 6.4. The kernel refuses once there is a second
// thread.
const char* allow_tagged_pointers() {
  constexpr int kEnableTaggedAddresses = 0x4002;  // ARCH_ENABLE_TAGGED_ADDR; not in glibc's headers
  constexpr unsigned long kBits = 6;
  const KeptErrno kept;
  if (syscall(SYS_arch_prctl, kEnableTaggedAddresses, kBits) == 0) return nullptr;
  return errno == EINVAL ? "this kernel has no linear address masking (Linux 6.4 with CONFIG_ADDRESS_MASKING)"
                         : "this processor has no linear address masking (LAM)";
}
#elif defined(__aarch64__)
// The processor ignores the top byte in any case. The kernel takes such pointers in system calls once it is
// asked to.
const char* allow_tagged_pointers() {
  constexpr int kSetTaggedAddresses = 55;  // PR_SET_TAGGED_ADDR_CTRL
  constexpr unsigned long kEnable = 1;     // PR_TAGGED_ADDR_ENABLE
  const KeptErrno kept;
  if (prctl(kSetTaggedAddresses, kEnable, 0, 0, 0) == 0) return nullptr;
  return "this kernel takes no tagged pointers (Linux 5.4, and abi.tagged_addr_disabled=0)";
}
#else
const char* allow_tagged_pointers() {
  return "this processor does not ignore the top bits of pointers";
}
#endif

// The kernel adds 0 to the word, atomically, which succeeds only where the page is writable. The same call
// then wakes the threads that sleep on nobody_sleeps_here, and there are none.
bool is_writable(const void* word) {
  constexpr std::uint32_t kAddNothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);
  static std::uint32_t nobody_sleeps_here;
  const KeptErrno kept;
  return syscall(SYS_futex, &nobody_sleeps_here, FUTEX_WAKE_OP_PRIVATE, 0, 0UL, word, kAddNothing) >= 0;
}

void yield_processor() {
  sched_yield();
}

// The executable is the first object that the loader names.
bool executable_defines(const char* symbol) {
  bool found = false;
  runtime::for_each_loaded_object([symbol, &found](const dl_phdr_info& object) {
    found = defines(symbol_table_of(object), symbol);
    return true;
  });
  return found;
}

const char* loaded_object_named(const char* part) {
  const char* path = nullptr;
  runtime::for_each_loaded_object([part, &path](const dl_phdr_info& object) {
    const bool named = object.dlpi_name != nullptr && std::strstr(object.dlpi_name, part) != nullptr;
    if (named) path = object.dlpi_name;
    return named;
  });
  return path;
}

void* symbol_in_loaded_library(const char* soname, const char* symbol) {
  runtime::expect_no_lock_held();
  void* library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* address = dlsym(library, symbol);
  dlclose(library);  // the library stays loaded: other code had opened it before
  return address;
}

void* next_symbol(const char* symbol) {
  runtime::expect_no_lock_held();
  return dlsym(RTLD_NEXT, symbol);
}

void on_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  pthread_atfork(before, in_parent, in_child);
}

}  // namespace memo::guest::platform
