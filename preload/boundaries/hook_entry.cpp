// memo_hook_entry, reached from every thunk: saves whatever may carry an argument, reports, restores, jumps on.
// Written out because no compiler can be told to keep the vector registers of a caller it knows nothing about.

#include "preload/boundaries/thunks.h"

#if defined(__x86_64__)
// On entry: (%rsp) the number of the hook, 8(%rsp) the return address, 16(%rsp) the caller's stack.
// Kept: %rax (vector arguments of a variadic call), the six argument registers, %r10 (static chain), and by XSAVE
// the vector and mask registers at the width they have. Without XSAVE the processor has the 16-byte ones only.
asm(R"(
  .text
  .p2align 4
  .globl memo_hook_entry
  .hidden memo_hook_entry
  .type memo_hook_entry, @function
memo_hook_entry:
  .cfi_startproc
  .cfi_adjust_cfa_offset 8
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_offset %rbp, -24
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r10
  movq memo_hook_state_bytes(%rip), %r11
  testq %r11, %r11
  jz 1f
  subq %r11, %rsp
  andq $-64, %rsp
  xorl %eax, %eax
  movq %rax, 512(%rsp)
  movq %rax, 520(%rsp)
  movq %rax, 528(%rsp)
  movq %rax, 536(%rsp)
  movq %rax, 544(%rsp)
  movq %rax, 552(%rsp)
  movq %rax, 560(%rsp)
  movq %rax, 568(%rsp)
  movl $0xe6, %eax
  xorl %edx, %edx
  xsave64 (%rsp)
  movl 8(%rbp), %edi
  leaq 24(%rbp), %rsi
  movq 16(%rbp), %rdx
  call memo_hook_entered
  movq %rax, %r11
  movl $0xe6, %eax
  xorl %edx, %edx
  xrstor64 (%rsp)
  jmp 2f
1:
  subq $512, %rsp
  andq $-64, %rsp
  fxsave64 (%rsp)
  movl 8(%rbp), %edi
  leaq 24(%rbp), %rsi
  movq 16(%rbp), %rdx
  call memo_hook_entered
  movq %rax, %r11
  fxrstor64 (%rsp)
2:
  leaq -64(%rbp), %rsp
  popq %r10
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  popq %rbp
  .cfi_def_cfa %rsp, 16
  leaq 8(%rsp), %rsp
  .cfi_def_cfa_offset 8
  jmp *%r11
  .cfi_endproc
  .size memo_hook_entry, . - memo_hook_entry
)");
#elif defined(__aarch64__)
// On entry: w17 the number of the hook, x30 the return address, sp the caller's stack.
// Kept: x0-x7, x8 (address of a result), x30, and the 16-byte vector arguments. Functions that take scalable vectors
// follow another convention and cannot be hooked.
asm(R"(
  .text
  .p2align 4
  .globl memo_hook_entry
  .hidden memo_hook_entry
  .type memo_hook_entry, %function
memo_hook_entry:
  .cfi_startproc
  hint #36
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov w0, w17
  add x1, sp, #224
  mov x2, x30
  bl memo_hook_entered
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
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
