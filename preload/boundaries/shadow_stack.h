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
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/boundaries/boundary.h"

namespace memo::guest {

enum class FrameKind : std::uint32_t { kPass, kScope, kLoading };

// Notes that the thread enters a hooked function. `site.stack` is the stack pointer of the function's caller
// before the call, `site.address` the address that the function will return to.
void enter_frame(FrameKind kind, const BoundaryName* name, CallSite site);

// Begin and end passes and scopes that end by a call and not by leaving a frame.
void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site);
void leave_marked_pass(CallSite site);
void enter_marked_scope(const BoundaryName& name, CallSite site);
void leave_marked_scope(CallSite site);

// Returns false where the thread is known to run on a stack that is not its own, so that its scopes do not
// apply.
bool on_own_stack(std::uintptr_t stack);

// Returns true if the thread's own stack is known to reach so many bytes below this stack pointer.
bool has_room_below(std::uintptr_t stack, std::size_t bytes);

// Keeps the shadow stack of the calling thread in a copy of its process. The thread has a new name there; the
// other threads do not exist in the copy.
void keep_own_shadow_in_copy();

}  // namespace memo::guest
