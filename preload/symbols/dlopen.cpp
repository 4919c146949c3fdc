// dlopen without RTLD_DEEPBIND. A library that a program opens with that flag looks for malloc in itself
// before it looks in preloaded libraries, so that its blocks come from one heap and go back to another.
// Debian's oneTBB opens its topology helper this way and aborts under every other preloaded allocator.
//
// dlopen clears the flag and *jumps* to the real dlopen. The real one takes its caller's RUNPATH and $ORIGIN
// from the return address; a wrapper that called it would put its own in their place. The library hooks what
// was loaded once the shadow stack sees that dlopen has returned.

#include <dlfcn.h>

#include "preload/boundaries/hooked_frames.h"
#include "preload/dispatch/backend.h"
#include "preload/log/log.h"
#include "preload/platform/platform.h"

namespace {

using Dlopen = void*(const char*, int);

void* no_dlopen(const char*, int) {
  return nullptr;
}

}  // namespace

extern "C" {

[[gnu::visibility("hidden"), gnu::used]] Dlopen* memo_real_dlopen = nullptr;

// Runs before the real dlopen, and finds it at the first call; two threads may do so at once and find the
// same function. Settles a thread that has not allocated yet: otherwise the thread would be on the plain heap
// by the end of the loading, and the library would not notice that end.
[[gnu::visibility("hidden"), gnu::used]] void memo_before_dlopen(const void* stack,
                                                                 const void* return_address, const char* path,
                                                                 int flags) {
  if ((flags & RTLD_DEEPBIND) != 0)
    memo::guest::log_note("took RTLD_DEEPBIND from dlopen of ", path != nullptr ? path : "itself");
  if (__atomic_load_n(&memo_real_dlopen, __ATOMIC_ACQUIRE) == nullptr) {
    auto* real = reinterpret_cast<Dlopen*>(memo::guest::platform::next_symbol("dlopen"));
    __atomic_store_n(&memo_real_dlopen, real != nullptr ? real : no_dlopen, __ATOMIC_RELEASE);
  }
  if (memo::guest::t_route == memo::guest::Route::kUnknown) memo::guest::settle_thread();
  memo::guest::enter_frame(memo::guest::FrameKind::kLoading, nullptr, {return_address, stack});
}
}

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl dlopen
  .type dlopen, @function
dlopen:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  movq %rdi, %rdx
  movl %esi, %ecx
  leaq 24(%rsp), %rdi
  movq 16(%rsp), %rsi
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call memo_before_dlopen
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  andl $~8, %esi
  jmp *memo_real_dlopen(%rip)
  .cfi_endproc
  .size dlopen, . - dlopen
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .globl dlopen
  .type dlopen, %function
dlopen:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-32]!
  .cfi_adjust_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  stp x0, x1, [sp, #16]
  mov x2, x0
  mov w3, w1
  add x0, sp, #32
  mov x1, x30
  bl memo_before_dlopen
  ldp x0, x1, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_adjust_cfa_offset -32
  .cfi_restore x29
  .cfi_restore x30
  adrp x16, memo_real_dlopen
  ldr x16, [x16, :lo12:memo_real_dlopen]
  and w1, w1, #~8
  br x16
  .cfi_endproc
  .size dlopen, . - dlopen
)");
#else
#error "dlopen needs its jump written for this processor"
#endif
