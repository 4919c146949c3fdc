// Passes in mode auto: each goes to the recorder, or to mode serve, or to neither while its function warms up.
#pragma once

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

extern const BoundarySink kAutoSink;

// Returns the route outside of passes of a thread that runs passes. Once a marked or hooked pass was seen, the recorder
// ignores what such a thread allocates there.
Route auto_route_outside();

// Returns the route of a thread that has had no pass yet. During a recording the recorder sees it: it may be a worker.
Route auto_route_of_new_thread();

// Ends the thread's pass, if an anchor opened it: its only other end would be the next anchor, at which the
// recording thread does not look.
void leave_anchored_pass();

}  // namespace memo::guest
