/* The four entries that nearly every call takes: malloc, free, operator new, operator delete.
 *
 *   the heap alone answers    one compare, a branch not taken, then a jump into jemalloc; all of mode off
 *   a thread outside a pass   a check of the thread's route or of the address, then the same jump
 *   anything else             a jump to the routed half in c_functions.cpp and cxx_operators.cpp
 *
 * The entries reach all other code by jumps, so that the return address stays the program's: it is the call site that a
 * plan knows. A compiler promises no jump, so they are in assembly. Each begins a cache line and fits into it. */

#define PLAIN_HEAP 1 /* Route::kPlainHeap */

.macro export name
  .p2align 6
  .globl \name
  .type \name, %function
\name:
.endm

/* A second name for an entry. The program's own function may replace an exported name, but not this one. */
.macro own_name name
  .globl \name
  .hidden \name
  .type \name, %function
\name:
.endm

.text

#if defined(__x86_64__)

.macro go_to place
  jmp \place
.endm

.macro unless_heap_alone asked
  cmpb $0, memo_heap_alone(%rip)
  je \asked
.endm

.macro unless_on_plain_heap routed
  mov memo_route@gottpoff(%rip), %rax
  cmpl $PLAIN_HEAP, %fs:(%rax)
  jne \routed
.endm

.macro if_watched routed
  mov %rdi, %rax
  sub memo_watched(%rip), %rax
  cmp memo_watched+8(%rip), %rax
  jb \routed
.endm

#elif defined(__aarch64__)

.macro go_to place
  b \place
.endm

.macro unless_heap_alone asked
  adrp x16, memo_heap_alone
  ldrb w16, [x16, :lo12:memo_heap_alone]
  cbz w16, \asked
.endm

.macro unless_on_plain_heap routed
  adrp x16, :gottprel:memo_route
  ldr x16, [x16, :gottprel_lo12:memo_route]
  mrs x17, tpidr_el0
  ldr w16, [x17, x16]
  cmp w16, #PLAIN_HEAP
  b.ne \routed
.endm

.macro if_watched routed
  adrp x16, memo_watched
  add x16, x16, :lo12:memo_watched
  ldp x16, x17, [x16]
  sub x16, x0, x16
  cmp x16, x17
  b.lo \routed
.endm

#else
#error "the hot entries need to be written for this processor"
#endif

export malloc
  .cfi_startproc
  unless_heap_alone 1f
  go_to memo_je_malloc
1:
  unless_on_plain_heap memo_routed_malloc
  go_to memo_je_malloc
  .cfi_endproc
  .size malloc, . - malloc

export _Znwm
own_name memo_own_new
  .cfi_startproc
  unless_heap_alone 1f
  go_to memo_plain_new
1:
  unless_on_plain_heap memo_routed_new
  go_to memo_plain_new
  .cfi_endproc
  .size _Znwm, . - _Znwm

export free
  .cfi_startproc
  unless_heap_alone 1f
  go_to memo_je_free
1:
  if_watched memo_routed_free
  go_to memo_je_free
  .cfi_endproc
  .size free, . - free

export _ZdlPv
  .cfi_startproc
  unless_heap_alone 1f
  go_to memo_je_free
1:
  if_watched memo_routed_free
  go_to memo_je_free
  .cfi_endproc
  .size _ZdlPv, . - _ZdlPv

.section .note.GNU-stack, "", %progbits
