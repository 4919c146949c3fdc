#include "planner/search/automatic.h"

#include <array>

#include "planner/search/locality.h"
#include "planner/search/parts_solver.h"
#include "planner/strategies/outcome.h"

namespace memo::planner {
namespace {

constexpr std::array<std::string_view, 4> kStart = {"strip-packing", "greedy-size", "gergov",
                                                    "greedy-breadth"};
constexpr std::array<std::string_view, 2> kClimbers = {"hill-climb", "boxing"};

Outcome solve(const Problem& problem, const Limits& limits) {
  constexpr unsigned kLanes = 8;
  const PartsOptions options{.portfolio = {.lanes = kLanes, .threads = limits.threads, .seed = limits.seed},
                             .heuristics = kStart,
                             .climbers = kClimbers};
  Outcome outcome = solve_by_parts(problem, limits, options);
  if (outcome.offsets.empty()) return outcome;
  outcome.offsets = prefer_recent_bytes(problem, outcome.offsets);
  outcome.height = height(problem, outcome.offsets);
  return outcome;
}

}  // namespace

const Strategy kAutomatic = {
    .name = "auto",
    .summary = "the default: heuristics, then a portfolio of exact searches on all cores",
    .cost = "milliseconds for most traces; otherwise until the height is proved or the limits run out",
    .guarantee = "optimal once proved; never above greedy-size; the same plan for the same node budget",
    .exact = true,
    .refusal = refuses_nothing,
    .solve = solve,
};

}  // namespace memo::planner
