// Passes in mode auto: each goes to the recorder, or to mode serve, or to neither while its function warms up.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

extern const BoundarySink kAutoSink;

// Returns the route of a thread outside of passes. Once a marked or hooked pass was seen, the recorder ignores
// allocations outside of passes.
Route auto_route_outside();

}  // namespace memo::guest
