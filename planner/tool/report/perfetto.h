// Writes a trace as JSON for Perfetto (ui.perfetto.dev) and chrome://tracing. Passes and scopes are nested
// slices, live bytes are a counter for each thread, and every allocation is an asynchronous event, because
// allocations overlap and slices must not.
#pragma once

#include <string>

#include "planner/trace/trace.h"

namespace memo::planner {

[[nodiscard]] std::string to_perfetto(const Trace& trace);

}  // namespace memo::planner
