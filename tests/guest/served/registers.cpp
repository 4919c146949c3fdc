// Passes and operators are hooked functions of a library, and a hook saves general registers alone on its ordinary way:
// whatever lies in the vector registers, to their last bit, must reach the function as the caller left it, and what the
// function returns must come back. Proven for a hooked pass; for operators that follow each other, lie inside each other, are
// not in the plan, lie deeper than anybody keeps count of, and are a thread's first call; and after exceptions and longjmp have
// left operators without an end. Failure: one bit of a register that differs, or an ordinary pass that the plan no longer
// serves afterwards.
#include "registers.h"

#include <setjmp.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "served.h"

using namespace served;

#if defined(__x86_64__)
asm(R"(
  .macro sends name, kind, move
  .globl \name
  .type \name, @function
\name:
  .cfi_startproc
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_offset %rbx, -16
  subq $16, %rsp
  .cfi_adjust_cfa_offset 16
  movq %rdx, %rbx
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  ldmxcsr 512(%rdi)
  fldcw 516(%rdi)
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  \move 64 * \n(%rdi), %\kind\n
  .endr
  movq %rsi, %rdi
  call *%rcx
  \move %\kind\()0, 576(%rbx)
  \move %\kind\()1, 640(%rbx)
  stmxcsr 512(%rbx)
  fnstcw 516(%rbx)
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $16, %rsp
  .cfi_adjust_cfa_offset -16
  popq %rbx
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size \name, . - \name
  .endm
  .text
  sends send_xmm, xmm, movups
  sends send_ymm, ymm, vmovups
  sends send_zmm, zmm, vmovups
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl send_q
  .type send_q, %function
send_q:
  .cfi_startproc
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  mov x29, sp
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -16
  .cfi_offset x20, -8
  mov x19, x2
  mrs x20, fpcr
  ldr w9, [x0, #512]
  msr fpcr, x9
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  ldr q\n, [x0, #64 * \n]
  .endr
  mov x0, x1
  blr x3
  str q0, [x19, #576]
  str q1, [x19, #640]
  mrs x9, fpcr
  str w9, [x19, #512]
  msr fpcr, x20
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_restore x30
  .cfi_restore x29
  .cfi_restore x20
  .cfi_restore x19
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size send_q, . - send_q
)");
#endif

namespace {

// A width of the registers, and the way to send them.
struct Width {
  std::size_t bytes;
  Sends* send;
  Stores* as_operator;
  Stores* as_pass;
};

#if defined(__x86_64__)
constexpr std::uint32_t kTowardsZero = 0x7f80;
Width widest() {
  if (__builtin_cpu_supports("avx512f")) return {64, send_zmm, guest_operator_zmm, guest_pass_zmm};
  if (__builtin_cpu_supports("avx")) return {32, send_ymm, guest_operator_ymm, guest_pass_ymm};
  return {16, send_xmm, guest_operator_xmm, guest_pass_xmm};
}
Width narrowest() {
  return {16, send_xmm, guest_operator_xmm, guest_pass_xmm};
}
#elif defined(__aarch64__)
constexpr std::uint32_t kTowardsZero = 3U << 22;
Width widest() {
  return {16, send_q, guest_operator_q, guest_pass_q};
}
Width narrowest() {
  return widest();
}
#endif

unsigned next_seed() {
  static std::atomic<unsigned> seed{0};
  return seed += 37;
}

void send(const Width& width, Stores* function) {
  Registers sent{}, found{}, back{};
  const unsigned seed = next_seed();
  fill(sent.vectors, sizeof sent.vectors, seed);
  fill(found.result, sizeof found.result, seed + 1);
  sent.control = kTowardsZero;
  sent.x87_control = 0x0f7f;  // rounds towards zero, too
  width.send(&sent, &found, &back, function);
  for (int at = 0; at < 8; ++at) EXPECT(memcmp(sent.vectors[at], found.vectors[at], width.bytes) == 0);
  for (int at = 0; at < 2; ++at) EXPECT(memcmp(found.result[at], back.result[at], width.bytes) == 0);
  EXPECT(found.control == kTowardsZero && back.control == kTowardsZero);
#if defined(__x86_64__)
  EXPECT(found.x87_control == sent.x87_control && back.x87_control == sent.x87_control);
#endif
}

void send_to_operators() {
  send(widest(), widest().as_operator);
  send(narrowest(), narrowest().as_operator);
  send(widest(), widest().as_operator);
}

void allocate(void* bytes) {
  const auto size = reinterpret_cast<std::size_t>(bytes);
  void* block = malloc(size);
  EXPECT(block != nullptr);
  fill(block, size, 3);
  free(block);
}

void* bytes(std::size_t count) {
  return reinterpret_cast<void*>(count);
}

constexpr std::uint64_t kBlocks = 8;

// Operators after each other, the same again, and inside each other.
void ordinary_body(void*) {
  send_to_operators();
  allocate(bytes(1000));
  guest_operator(allocate, bytes(2000));
  guest_operator(allocate, bytes(3000));
  guest_operator_other(allocate, bytes(4000));
  send_to_operators();
  guest_operator(
      [](void*) {
        allocate(bytes(5000));
        guest_operator_other([](void*) { send_to_operators(); }, nullptr);
        guest_operator_other(allocate, bytes(6000));
        allocate(bytes(7000));
      },
      nullptr);
  for (int i = 0; i < 5; ++i) send_to_operators();
  allocate(bytes(8000));
}

void ordinary_pass() {
  guest_pass(ordinary_body, nullptr);
  free(malloc(1));  // sees that it has ended
}

void expect_that_all_is_served() {
  for (int pass = 0; pass < 3; ++pass) {
    const ServedSince here;
    ordinary_pass();
    EXPECT(here.are(kBlocks));
  }
}

void throws(void*) {
  send_to_operators();
  throw std::runtime_error("out of the operators");
}

void throws_deeper(void*) {
  guest_operator_other(throws, nullptr);
}

void catches_inside(void*) {
  allocate(bytes(1000));
  try {
    guest_operator(throws_deeper, nullptr);
  } catch (const std::runtime_error&) {
    send_to_operators();
  }
  guest_operator(allocate, bytes(2000));
  send_to_operators();
}

void exceptions() {
  guest_pass(catches_inside, nullptr);
  expect_that_all_is_served();
  try {
    guest_pass(throws_deeper, nullptr);
  } catch (const std::runtime_error&) {
  }
  expect_that_all_is_served();
}

jmp_buf g_target;

void jumps(void*) {
  send_to_operators();
  longjmp(g_target, 1);
}

void jumps_deeper(void*) {
  guest_operator_other(jumps, nullptr);
}

void lands_inside(void*) {
  allocate(bytes(1000));
  if (setjmp(g_target) == 0) guest_operator(jumps_deeper, nullptr);
  send_to_operators();
  guest_operator(allocate, bytes(2000));
}

void jumps_out() {
  guest_pass(lands_inside, nullptr);
  expect_that_all_is_served();
  if (setjmp(g_target) == 0) guest_pass(jumps_deeper, nullptr);
  expect_that_all_is_served();
}

// More operators inside each other than the library keeps count of.
void dive(void* left) {
  const auto depth = reinterpret_cast<std::size_t>(left);
  allocate(bytes(depth));
  if (depth % 100 == 1) send_to_operators();
  if (depth == 1) return;
  (depth % 2 == 0 ? guest_operator : guest_operator_other)(dive, bytes(depth - 1));
  if (depth % 100 == 1) send_to_operators();
}

void deep_recursion() {
  guest_pass(dive, bytes(3000));
  expect_that_all_is_served();
}

void operators_that_the_plan_lacks() {
  guest_pass(
      [](void*) {
        for (int i = 0; i < 100; ++i) {
          guest_operator_other(allocate, bytes(900));
          send_to_operators();
        }
      },
      nullptr);
  expect_that_all_is_served();
}

// The thread has never been seen before, and may be inside or outside of its pass.
void first_calls_of_threads() {
  for (int i = 0; i < 40; ++i) {
    std::thread([] { send_to_operators(); }).join();
    std::thread([] { send(widest(), widest().as_pass); }).join();
    std::thread(ordinary_pass).join();
  }
}

void passes_that_take_vectors() {
  for (int i = 0; i < 3; ++i) {
    send(widest(), widest().as_pass);
    send(narrowest(), narrowest().as_pass);
    send_to_operators();  // outside of any
  }
  expect_that_all_is_served();
}

// The address that the program has is the hook's.
void expect_hooks() {
  const bool hooked = dlsym(RTLD_DEFAULT, "guest_operator") != reinterpret_cast<void*>(&guest_operator);
  EXPECT(hooked == (getenv("MEMOMALLOC_SCOPE_SYMBOLS") != nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  expect_hooks();
  if (recorded(argc, ordinary_pass) && strcmp(argv[1], "worst") != 0) return 0;
  passes_that_take_vectors();
  operators_that_the_plan_lacks();
  first_calls_of_threads();
  exceptions();
  jumps_out();
  deep_recursion();
}
