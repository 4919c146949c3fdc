// Begins what the begin of a frame begins, and ends it with the frame. The caller has looked for room before.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/route/route.h"

namespace memo::guest {

void begin_scope(ShadowStack& shadow, const Frame& frame);
void begin_pass(ShadowStack& shadow, const Frame& frame, CallSite site, std::uint64_t key,
                std::uintptr_t object);

// Begins to watch for the end of dlopen. A thread on the plain heap reports no events, so it changes to
// Route::kLoading, which reports them.
void begin_loading(ShadowStack& shadow, const Frame& frame);

// Ends the innermost frame.
void pop_frame(ShadowStack& shadow, PassEnd how = PassEnd::kReached);

}  // namespace memo::guest
