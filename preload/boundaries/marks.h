// Marked passes and scopes: they end by a call, or together with the hooked frame around them.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

// Begin and end passes and scopes that end by a call and not by leaving a frame.
void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site);
void leave_marked_pass(CallSite site);
void enter_marked_scope(const BoundaryName& name, CallSite site);
void leave_marked_scope(CallSite site);

}  // namespace memo::guest
