// What the command and the program `memomalloc-literature` send each other.
//
//   command:  memomalloc-literature telamalloc --nodes 9000 --threads 2 --seed 1     a problem as CSV on stdin
//   program:  {"status":"feasible","height":96,"lower_bound":80,"nodes":9000,"note":"","seconds":0.25,"offsets":[0,64]}
//         or  {"refusal":"fixed offsets are not supported"}
//
//   command:  memomalloc-literature --list
//   program:  {"strategies":[{"name":"telamalloc","summary":…,"cost":…,"guarantee":…,"exact":false},…]}
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "planner/placing/strategy.h"

namespace memo::planner {

using Json = nlohmann::ordered_json;

// Returns the problem without its capacity, in the columns of csv.h. Buffers are named by their index.
[[nodiscard]] std::string to_csv(const Problem& problem);

// Returns the options that say the limits, and the capacity of the problem. They do not say `cancel`, which is a SIGINT
// to the program, nor `progress`.
[[nodiscard]] std::vector<std::string> options_of(const Problem& problem, const Limits& limits);

[[nodiscard]] Json to_json(const Outcome& outcome);
// Throws nlohmann::json::exception if this is no outcome.
[[nodiscard]] Outcome outcome_of(const Json& json);

[[nodiscard]] Json to_json(std::span<const Strategy* const> strategies);

}  // namespace memo::planner
