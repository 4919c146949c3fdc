// Scopes whose names stand in brackets, as "[layer1.0.conv2]", are labels: they are for reports, and only a recording has
// them. Python's modules are such scopes, since telling the library of each would cost a served pass too much.
#pragma once

#include <string_view>

#include "planner/trace/trace.h"

namespace memo::planner {

[[nodiscard]] bool is_label(std::string_view name);

// Takes the labels out of all passes. What was in one then lies in the scope around it. A plan that waited for the begin of
// a label would wait in vain.
void leave_out_labels(Trace& trace);

}  // namespace memo::planner
