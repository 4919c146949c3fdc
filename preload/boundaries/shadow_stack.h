// The shadow call stack: it knows which hooked functions a thread is inside, and needs no exit hook.
//
//      higher    +-----------------+
//                |  caller of A    |
//      A.stack ->+-----------------+  <- any event seen with a stack pointer here or above: A has ended
//                | return address  |  <- no longer A's: A has ended, and its caller has called something else
//                |  A              |
//      B.stack ->+-----------------+
//                | return address  |
//                |  B              |
//                |  …  malloc      |  <- below both, and both return addresses in place: inside both
//                v
//
// So the shadow stack survives exceptions, longjmp and tail calls. The library only reads return addresses
// and changes none. A stack pointer outside the thread's own stack (fibers, signal stacks) says nothing about
// the frames and changes nothing.
//
// Two errors remain. A caller may leave a gap on its stack where the return address was, to align the
// arguments of its next call: during that call the thread still seems to be inside A. And on AArch64 a
// function keeps its return address anywhere it likes, so the library looks for the address in the chain of
// frame records at every event; a hooked function that keeps no frame record seems to have ended.
//
// For files that are compiled without vector registers: what others make of the inline functions here, the linker
// might take for those files too.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/kept_vectors.h"
#include "preload/route/route.h"

namespace memo::guest {

inline constexpr std::uintptr_t kNever = UINTPTR_MAX;

struct Frame {
  std::uintptr_t stack;  // the frame has ended once the thread is seen here or above
  const void* return_address;
  const void* kept_return;  // what the return slot held at entry
  const BoundaryName* name;
  FrameKind kind;
  Route route;  // the thread's route before dlopen began
  bool marked;  // ends by a call, or together with the hooked frame around it
};

struct ShadowStack {
  // The most frames that are tracked. Events in deeper frames count for the tracked ones.
  static constexpr std::uint32_t kMostFrames = 250;

  ShadowStack* next;
  std::uint32_t owner;
  std::uint32_t depth;
  std::uint32_t nested_marks;  // calls of memo_pass_begin inside the pass: their ends must not end it
  bool in_pass;
  CallSite pass_begin;  // where the running pass began
  std::uintptr_t low;   // the thread's own stack, from here to `high`
  std::uintptr_t high;
  Frame frames[kMostFrames];

  [[nodiscard]] bool has_room() const { return depth < kMostFrames; }
  [[nodiscard]] bool owns(std::uintptr_t stack) const { return stack - low <= high - low; }
};

extern thread_local constinit ShadowStack* t_shadow __attribute__((tls_model("initial-exec")));

// Makes the thread's shadow stack. Returns null where there is no memory for it.
ShadowStack* make_shadow();

// Returns the thread's shadow stack, and makes it at the first call.
inline ShadowStack* own_shadow() {
  return t_shadow != nullptr ? t_shadow : keeping_vectors(make_shadow);
}

inline std::uintptr_t stack_of(CallSite site) {
  return reinterpret_cast<std::uintptr_t>(site.stack);
}

}  // namespace memo::guest
