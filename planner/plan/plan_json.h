// Turns a plan into JSON and back, for other tools: `inspect --json` prints it, `plan --from-json` reads it.
// Nothing is lost on the way: the plan writer makes the same bytes of it.
//
//   {"cells": [64, …], "modules": [{"build_id", "path"}, …],
//    "variants": [{"key", "fingerprint", "lower_bound", "strategy", "unplanned", "shapes",
//                  "scopes": [{"name", "parent", "first_slot", "end_slot"}, …],
//                  "slots": [{"size", "alignment", "zone", "place", "freed_at", "scope", "module", "offset",
//                             "formula": {"base", "factor", "rounding", "powers": [p, q, t]}}, …],    where it has one
//                  "loops": [{"first_slot", "end_slot", "slots", "first_scope", "end_scope", "scopes"}, …],
//                                                                       where the pass repeats a part of itself
//                  "range": {"least_bytes", "most_bytes", "highest_alone",                  where it has many shapes
//                            "varying": [{"least", "most"}, …]}}, …],
//    "anchors": [{"key", "least", "most", "module", "offset"}, …]}    where passes are found by their period
//
// Other keys are there for human readers; `plan --from-json` ignores them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/plan/plan_description.h"

namespace memo::planner {

[[nodiscard]] nlohmann::ordered_json range_to_json(const ShapeRange& range);
[[nodiscard]] nlohmann::ordered_json plan_to_json(const PlanDescription& plan);

// Throws std::runtime_error that names the first value which is missing or wrong.
[[nodiscard]] PlanDescription plan_from_json(std::string_view text);

}  // namespace memo::planner
