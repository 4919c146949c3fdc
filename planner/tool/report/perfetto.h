// A trace in the JSON that Perfetto (ui.perfetto.dev) and chrome://tracing open: passes and scopes as nested slices,
// live bytes as a counter for each thread, every allocation as an asynchronous event (they overlap, slices must not).
#pragma once

#include <string>

#include "planner/trace/trace.h"

namespace memo::planner {

[[nodiscard]] std::string to_perfetto(const Trace& trace);

}  // namespace memo::planner
