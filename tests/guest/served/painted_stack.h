// Measures how much of its caller's stack a call takes: what lies below the caller is painted first, and the lowest word
// that has lost its paint afterwards tells.
#pragma once

#include <cstddef>
#include <cstdint>

namespace served {

inline constexpr std::uintptr_t kPaint = 0x5a17'5a17'5a17'5a17;
inline constexpr std::size_t kPaintedBytes = std::size_t{40} << 10;

[[gnu::always_inline]] inline std::uintptr_t* stack_pointer() {
  std::uintptr_t* here;
#if defined(__x86_64__)
  asm volatile("movq %%rsp, %0" : "=r"(here));
#elif defined(__aarch64__)
  asm volatile("mov %0, sp" : "=r"(here));
#endif
  return here;
}

// A call that painted by memset would lie in its own paint.
[[gnu::always_inline]] inline void paint(volatile std::uintptr_t* from, volatile std::uintptr_t* to) {
  for (; from < to; ++from) *from = kPaint;
}

[[gnu::always_inline]] inline std::size_t bytes_unpainted(volatile std::uintptr_t* from,
                                                          volatile std::uintptr_t* to) {
  while (from < to && *from == kPaint) ++from;
  return static_cast<std::size_t>(to - from) * sizeof *from;
}

// The call's return address is part of it.
[[gnu::noinline]] inline std::size_t depth_of(void (*call)()) {
  volatile std::uintptr_t* const here = stack_pointer();
  volatile std::uintptr_t* const low = here - kPaintedBytes / sizeof(std::uintptr_t);
  paint(low, here);
  call();
  return bytes_unpainted(low, here);
}

}  // namespace served
