// The functions that are hooked: see registers.h.
#include "registers.h"

#if defined(__x86_64__)
asm(R"(
  .macro stores name, kind, move
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  \move %\kind\n, 64 * \n(%rdi)
  .endr
  stmxcsr 512(%rdi)
  fnstcw 516(%rdi)
  \move 576(%rdi), %\kind\()0
  \move 640(%rdi), %\kind\()1
  ret
  .cfi_endproc
  .size \name, . - \name
  .endm
  .text
  stores guest_operator_xmm, xmm, movups
  stores guest_operator_ymm, ymm, vmovups
  stores guest_operator_zmm, zmm, vmovups
  stores guest_pass_xmm, xmm, movups
  stores guest_pass_ymm, ymm, vmovups
  stores guest_pass_zmm, zmm, vmovups
)");
#elif defined(__aarch64__)
asm(R"(
  .macro stores name
  .globl \name
  .type \name, %function
\name:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  str q\n, [x0, #64 * \n]
  .endr
  mrs x9, fpcr
  str w9, [x0, #512]
  ldr q0, [x0, #576]
  ldr q1, [x0, #640]
  ldp x29, x30, [sp], #16
  .cfi_restore x30
  .cfi_restore x29
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size \name, . - \name
  .endm
  .text
  stores guest_operator_q
  stores guest_pass_q
)");
#endif

extern "C" {

// The empty statement keeps the call from being the function's last act.
void guest_pass(void (*body)(void*), void* argument) {
  body(argument);
  asm volatile("");
}

void guest_operator(void (*body)(void*), void* argument) {
  body(argument);
  asm volatile("");
}

void guest_operator_other(void (*body)(void*), void* argument) {
  body(argument);
  asm volatile("");
}
}
