// Marked passes and scopes: they end by a call, or together with the hooked frame around them.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

// Returns true if the pass that a mark begins is skipped, since serving stands aside for its key: enter_marked_pass() is not to be
// called then, and leave_marked_pass() is. Costs some ten nanoseconds.
[[nodiscard]] bool skip_marked_pass(std::uint64_t key, CallSite site);

// Returns true if the pass of this key that was just begun or skipped goes to the heap, since serving stands aside for it. False
// where it goes there for another reason.
[[nodiscard]] bool stands_aside_for(std::uint64_t key);

// Begin and end passes and scopes that end by a call and not by leaving a frame.
void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site);
void leave_marked_pass(CallSite site);
void enter_marked_scope(const BoundaryName& name, CallSite site);
void leave_marked_scope(CallSite site);

}  // namespace memo::guest
