// The registers that carry vector arguments, as a caller loads them and a function finds them. guest_operator_* and
// guest_pass_* are functions of a library, to be hooked by name: each stores what it finds, and returns what is asked of it.
#pragma once

#include <cstdint>

struct alignas(64) Registers {
  unsigned char vectors[8][64];  // of each as many bytes as are in use
  std::uint32_t control;         // rounding: MXCSR, FPCR
  std::uint16_t x87_control;
  alignas(64) unsigned char result[2][64];  // in the first two
};

extern "C" {
using Stores = void(Registers* found);
#if defined(__x86_64__)
Stores guest_operator_xmm, guest_operator_ymm, guest_operator_zmm;
Stores guest_pass_xmm, guest_pass_ymm, guest_pass_zmm;
#elif defined(__aarch64__)
Stores guest_operator_q, guest_pass_q;
#endif

// Calls `function` with the registers as in `sent`, which then finds them in `found`; what it returns comes to `back`.
using Sends = void(const Registers* sent, Registers* found, Registers* back, Stores* function);
#if defined(__x86_64__)
Sends send_xmm, send_ymm, send_zmm;
#elif defined(__aarch64__)
Sends send_q;
#endif

// Each calls `body` and comes back, unless the body throws or jumps.
void guest_pass(void (*body)(void*), void* argument);
void guest_operator(void (*body)(void*), void* argument);
void guest_operator_other(void (*body)(void*), void* argument);
}
