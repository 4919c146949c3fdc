// The shadow call stack: which hooked functions is this thread inside? It needs no exit hook.
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
// So it survives exceptions, longjmp and tail calls, and nobody's return address is touched, only looked at. A stack
// pointer outside the thread's own stack (fibers, signal stacks) says nothing about the frames and changes nothing.
//
// What remains: a caller that leaves a gap on its stack where the address was, to align the arguments of its next call,
// seems to be in A still during that call. And on AArch64, where a function keeps its return address wherever it likes, it
// is looked for in the chain of frame records at every event; a hooked function that keeps none seems to have ended.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/boundaries/boundary.h"

namespace memo::guest {

enum class FrameKind : std::uint32_t { kPass, kScope, kLoading };

// A hooked function was entered; `site.stack` is its caller's stack pointer before the call, `site.address` where it
// will return to.
void enter_frame(FrameKind kind, const BoundaryName* name, CallSite site);

// Passes and scopes that end by a call and not by leaving a frame.
void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site);
void leave_marked_pass(CallSite site);
void enter_marked_scope(const BoundaryName& name, CallSite site);
void leave_marked_scope(CallSite site);

// False where the thread runs on a stack that is not its own, so that its scopes do not apply.
bool on_own_stack(std::uintptr_t stack);

// Returns true if the thread's own stack is known to go on for so many bytes below this stack pointer.
bool has_room_below(std::uintptr_t stack, std::size_t bytes);

// The calling thread goes on in a copy of its process, under a new name; the others are gone.
void keep_own_shadow_in_copy();

}  // namespace memo::guest
