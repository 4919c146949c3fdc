// A plan as JSON and back, for other tools: what `inspect --json` prints, `plan --from-json` takes. Nothing is lost on the
// way: the same bytes come out of the plan's writer.
//
//   {"cells": [64, …], "modules": [{"build_id", "path"}, …],
//    "variants": [{"key", "fingerprint", "lower_bound", "strategy", "unplanned", "shapes",
//                  "scopes": [{"name", "parent", "first_slot", "end_slot"}, …],
//                  "slots": [{"size", "growth", "alignment", "zone", "place", "freed_at", "scope", "module", "offset"}, …],
//                  "loops": [{"first_slot", "end_slot", "slots", "first_scope", "end_scope", "scopes"}, …]}, …],
//                                                                       where the pass repeats a part of itself
//    "anchors": [{"key", "least", "most", "module", "offset"}, …]}    where passes are found by their period
//
// Other keys are there for the reader's sake and not taken back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/plan/plan_description.h"

namespace memo::planner {

[[nodiscard]] nlohmann::ordered_json plan_to_json(const PlanDescription& plan);

// Throws std::runtime_error that names the first value which is missing or not what it should be.
[[nodiscard]] PlanDescription plan_from_json(std::string_view text);

}  // namespace memo::planner
