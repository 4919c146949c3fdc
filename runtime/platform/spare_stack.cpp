#include "runtime/platform/spare_stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory_annotations.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/pages.h"

// Calls the function with the argument on the stack that ends at `stack_end`, which is aligned to 16 bytes.
// Every call has its return, so that the processor's shadow stack stays right. Unwinders find the caller by the
// frame pointer.
extern "C" [[gnu::visibility("hidden")]] void memo_call_on_stack(void (*function)(void*), void* argument,
                                                                 void* stack_end);

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl memo_call_on_stack
  .hidden memo_call_on_stack
  .type memo_call_on_stack, @function
memo_call_on_stack:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  call *%rax
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size memo_call_on_stack, . - memo_call_on_stack
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .globl memo_call_on_stack
  .hidden memo_call_on_stack
  .type memo_call_on_stack, %function
memo_call_on_stack:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x2
  mov x9, x0
  mov x0, x1
  blr x9
  mov sp, x29
  .cfi_def_cfa_register sp
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size memo_call_on_stack, . - memo_call_on_stack
)");
#else
#error "memo_call_on_stack needs to be written for this processor"
#endif

namespace memo::runtime {
namespace {

constexpr std::size_t kStackBytes = std::size_t{1}
                                    << 18;  // 256 KiB; the deepest use that is known is a tenth of it
constexpr std::size_t kMostKept = 4;

constinit std::atomic<char*> g_idle[kMostKept]{};
constinit thread_local bool t_on_spare_stack = false;

// Returns false under sanitizers and valgrind, which report a stack that they do not know as an error.
bool may_switch() {
#if defined(MEMO_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__)
  return false;
#elif defined(MEMO_VALGRIND)
  return RUNNING_ON_VALGRIND == 0;
#else
  return true;
#endif
}

// Maps a stack, the lowest page of which is a guard. Returns nullptr if there is no memory.
char* map_stack() {
  void* memory = map_own(Own::kThreads, kStackBytes);
  if (memory == nullptr) return nullptr;
  close_pages(memory, page_bytes());
  return static_cast<char*>(memory);
}

char* take_stack() {
  for (std::atomic<char*>& place : g_idle) {
    if (char* stack = place.exchange(nullptr, std::memory_order_acquire)) return stack;
  }
  return map_stack();
}

void give_stack(char* stack) {
  for (std::atomic<char*>& place : g_idle) {
    char* none = nullptr;
    if (place.compare_exchange_strong(none, stack, std::memory_order_release, std::memory_order_relaxed))
      return;
  }
  unmap_own(Own::kThreads, stack, kStackBytes);
}

// The kernel's set of signals. The C library's sigset_t is sixteen times as large, and its calls would put that
// on the caller's stack twice.
using SignalSet = std::uint64_t;

constexpr SignalSet only(int signal) {
  return SignalSet{1} << (signal - 1);
}

// The signals that wait: all but those that the code itself may cause, and the two that the C library uses and
// waits for.
constexpr int kFirstOfCLibrary = 32;
constexpr SignalSet kWaiting =
    ~(only(SIGSEGV) | only(SIGBUS) | only(SIGILL) | only(SIGFPE) | only(SIGTRAP) | only(SIGSYS) |
      only(SIGABRT) | only(kFirstOfCLibrary) | only(kFirstOfCLibrary + 1));

// Holds back signals and cancellation, which would make the thread leave the spare stack or run the program's
// code there.
class Undisturbed {
 public:
  Undisturbed() {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation_);
    held_back_ = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &kWaiting, &before_, sizeof before_) == 0;
  }
  ~Undisturbed() {
    if (held_back_) syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
    pthread_setcancelstate(cancellation_, nullptr);
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  SignalSet before_ = 0;
  int cancellation_ = 0;
  bool held_back_ = false;  // false where a filter of the program forbids it
};

// Calls the function on a spare stack, or on the caller's stack if there is none.
void call_undisturbed(void (*function)(void*), void* argument, int& error) {
  const Undisturbed undisturbed;
  char* stack = take_stack();
  errno = error;
  t_on_spare_stack = true;
  stack != nullptr ? memo_call_on_stack(function, argument, stack + kStackBytes) : function(argument);
  t_on_spare_stack = false;
  error = errno;
  if (stack != nullptr) give_stack(stack);
}

}  // namespace

[[gnu::cold, gnu::noinline]] void run_on_spare_stack(void (*function)(void*), void* argument) {
  if (t_on_spare_stack || !may_switch()) return function(argument);
  int error = errno;
  call_undisturbed(function, argument, error);
  errno = error;
}

}  // namespace memo::runtime
