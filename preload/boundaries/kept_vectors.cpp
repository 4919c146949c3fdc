#include "preload/boundaries/kept_vectors.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include "runtime/formats/rounding.h"
#endif

extern "C" {
// Bytes that it takes to save the vector registers; 0 where the processor has no XSAVE.
[[gnu::visibility("hidden"), gnu::used]] std::uint64_t memo_vector_bytes = 0;
}

// Written in assembly, because no compiler can be told to keep the vector registers of a caller that it does
// not know.
#if defined(__x86_64__)
// Saves with XSAVE the vector and mask registers at their full width, and the control word of the vector
// unit. A processor without XSAVE has only the 16-byte registers, which FXSAVE saves.
asm(R"(
  .text
  .p2align 4
  .globl memo_keep_vectors
  .hidden memo_keep_vectors
  .type memo_keep_vectors, @function
memo_keep_vectors:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %r10
  movq memo_vector_bytes(%rip), %r11
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
  jmp 2f
1:
  subq $512, %rsp
  andq $-64, %rsp
  fxsave64 (%rsp)
2:
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %r10, %rsi
  movq %rcx, %rdx
  movq %r8, %rcx
  movq %r9, %r8
  call *%rax
  movq %rax, %r11
  cmpq $0, memo_vector_bytes(%rip)
  je 3f
  movl $0xe6, %eax
  xorl %edx, %edx
  xrstor64 (%rsp)
  jmp 4f
3:
  fxrstor64 (%rsp)
4:
  movq %r11, %rax
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size memo_keep_vectors, . - memo_keep_vectors
)");
#elif defined(__aarch64__)
// Saves the 16-byte registers that carry vector arguments. Functions that take scalable vectors follow
// another calling convention and cannot be hooked.
asm(R"(
  .text
  .p2align 4
  .globl memo_keep_vectors
  .hidden memo_keep_vectors
  .type memo_keep_vectors, %function
memo_keep_vectors:
  .cfi_startproc
  stp x29, x30, [sp, #-144]!
  .cfi_def_cfa_offset 144
  .cfi_offset x29, -144
  .cfi_offset x30, -136
  mov x29, sp
  stp q0, q1, [sp, #16]
  stp q2, q3, [sp, #48]
  stp q4, q5, [sp, #80]
  stp q6, q7, [sp, #112]
  mov x16, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  mov x3, x4
  mov x4, x5
  blr x16
  ldp q0, q1, [sp, #16]
  ldp q2, q3, [sp, #48]
  ldp q4, q5, [sp, #80]
  ldp q6, q7, [sp, #112]
  ldp x29, x30, [sp], #144
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size memo_keep_vectors, . - memo_keep_vectors
)");
#else
#error "memo_keep_vectors needs to be written for this processor"
#endif

namespace memo::guest {

#if defined(__x86_64__)

namespace {

// The XSAVE components that carry arguments, the same as in memo_keep_vectors: SSE, AVX, and the three of
// AVX-512.
constexpr std::uint32_t kSavedComponents = 0xe6;

}  // namespace

void measure_vectors() {
  constexpr unsigned kHasXsave = 1U << 27;  // OSXSAVE: the kernel has enabled XSAVE
  constexpr std::uint64_t kLegacyAndHeader = 576;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kHasXsave) == 0) return;
  std::uint64_t bytes = kLegacyAndHeader;
  for (unsigned component = 2; component < 8; ++component) {
    if ((kSavedComponents >> component & 1) == 0 || __get_cpuid_count(13, component, &a, &b, &c, &d) == 0)
      continue;
    const std::uint64_t end = std::uint64_t{a} + b;
    bytes = end > bytes ? end : bytes;
  }
  memo_vector_bytes = runtime::round_up(bytes, 64);
}

#elif defined(__aarch64__)

void measure_vectors() {}

#endif

}  // namespace memo::guest
