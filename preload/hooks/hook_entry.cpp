// Defines memo_hook_entry, to which every thunk jumps. It saves the general registers that may carry an
// argument, reports the call, restores the registers and jumps on. It saves no vector register: all code that
// runs before the jump is compiled without them (kept_vectors.h), and a test checks the built library for
// that (tests/preload/hooks/hook_registers_test.py).

#include "preload/hooks/thunks.h"

#if defined(__x86_64__)
// On entry, (%rsp) is the number of the hook, 8(%rsp) the return address, and 16(%rsp) the top of the
// caller's stack.
// Saved: %rax (the number of vector arguments of a variadic call), the six argument registers, %r10 (static
// chain).
asm(R"(
  .text
  .p2align 4
  .globl memo_hook_entry
  .hidden memo_hook_entry
  .type memo_hook_entry, @function
memo_hook_entry:
  .cfi_startproc
  .cfi_adjust_cfa_offset 8
  pushq %rax
  .cfi_adjust_cfa_offset 8
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  pushq %rcx
  .cfi_adjust_cfa_offset 8
  pushq %r8
  .cfi_adjust_cfa_offset 8
  pushq %r9
  .cfi_adjust_cfa_offset 8
  pushq %r10
  .cfi_adjust_cfa_offset 8
  movl 64(%rsp), %edi
  leaq 80(%rsp), %rsi
  movq 72(%rsp), %rdx
  call memo_hook_entered
  movq %rax, %r11
  popq %r10
  .cfi_adjust_cfa_offset -8
  popq %r9
  .cfi_adjust_cfa_offset -8
  popq %r8
  .cfi_adjust_cfa_offset -8
  popq %rcx
  .cfi_adjust_cfa_offset -8
  popq %rdx
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  popq %rax
  .cfi_adjust_cfa_offset -8
  leaq 8(%rsp), %rsp
  .cfi_adjust_cfa_offset -8
  jmp *%r11
  .cfi_endproc
  .size memo_hook_entry, . - memo_hook_entry
)");
#elif defined(__aarch64__)
// On entry, w17 is the number of the hook, x30 the return address, and sp the caller's stack pointer.
// Saved: x0-x7, x8 (address of a result), x30.
asm(R"(
  .text
  .p2align 4
  .globl memo_hook_entry
  .hidden memo_hook_entry
  .type memo_hook_entry, %function
memo_hook_entry:
  .cfi_startproc
  hint #36
  stp x29, x30, [sp, #-96]!
  .cfi_def_cfa_offset 96
  .cfi_offset x29, -96
  .cfi_offset x30, -88
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  mov w0, w17
  add x1, sp, #96
  mov x2, x30
  bl memo_hook_entered
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp x29, x30, [sp], #96
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  br x16
  .cfi_endproc
  .size memo_hook_entry, . - memo_hook_entry
)");
#else
#error "memo_hook_entry needs to be written for this processor"
#endif
