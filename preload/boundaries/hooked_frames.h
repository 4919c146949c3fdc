// Hooked functions: what they begin ends when the thread leaves their frame.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

// Notes that the thread enters a hooked function. `site.stack` is the stack pointer of the function's caller
// before the call, `site.address` the address that the function will return to.
void enter_frame(FrameKind kind, const BoundaryName* name, CallSite site);

// Does the same for a function that runs a pass. `first` and `second` are its first two arguments: `this`, or behind the address
// of the result, `this`.
void enter_pass(const BoundaryName* name, CallSite site, std::uintptr_t first, std::uintptr_t second);

}  // namespace memo::guest
