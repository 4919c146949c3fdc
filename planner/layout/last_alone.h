// Tells a profile that ended too early: of a server whose start runs small passes again and again, and which had answered once.
#pragma once

#include <set>
#include <span>

#include "planner/steps/distinct_passes.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Returns what a trace's last pass asks for, if it came once and asks for more than any pass that was planned: the most of all
// traces. Passes like it would have come again, had the trace gone on. Returns 0 where there is no such pass.
[[nodiscard]] Bytes asked_by_last_alone(const DistinctPasses& passes, const std::set<const Pass*>& alone,
                                        std::span<const Variant> variants);

}  // namespace memo::planner
