// Functions that a hook must not reach without saving vector registers, one for each way to go wrong. Read by
// hook_registers_test.py, never run.
#include <string.h>

__attribute__((visibility("default"))) double numbers[4];
void (*volatile anywhere)(void);
volatile long word;

__attribute__((noinline)) static void count(void) {
  ++word;
}

__attribute__((noinline)) void sum_of(double* of) {
  of[0] = of[1] * of[2] + of[3];
}

void clean(void) {
  count();
  ++word;
}

void adds_numbers(void) {
  sum_of(numbers);
  ++word;
}

void jumps_to_sum(void) {
  ++word;
  sum_of(numbers);
}

void calls_out(void) {
  memmove(numbers, numbers + 1, (size_t)word);
  ++word;
}

void calls_pointer(void) {
  anywhere();
  ++word;
}
