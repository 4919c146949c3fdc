// A trace as the arena would see the same run: what only a recording has is taken out, and what gets a place is told.
#pragma once

#include "planner/trace/trace.h"

namespace memo::planner {

// Leaves out the labels, and lets large answers end with their passes.
void make_as_served(Trace& trace);

}  // namespace memo::planner
