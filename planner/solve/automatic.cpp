#include "planner/solve/automatic.h"

#include <array>

#include "planner/placing/outcome.h"
#include "planner/solve/boxing.h"
#include "planner/solve/gergov.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/greedy_ties.h"
#include "planner/solve/hill_climb.h"
#include "planner/solve/locality.h"
#include "planner/solve/parts_solver.h"
#include "planner/solve/strip_packing.h"

namespace memo::planner {
namespace {

constexpr std::array<const Strategy*, 4> kStart = {&kStripPacking, &kGreedySize, &kGergov, &kOtherTies};
constexpr std::array<const Strategy*, 2> kClimbers = {&kHillClimb, &kBoxing};

Outcome solve(const Problem& problem, const Limits& limits) {
  constexpr unsigned kSearches = 8;
  const PartsOptions options{
      .portfolio = {.searches = kSearches, .threads = limits.threads, .seed = limits.seed},
      .heuristics = kStart,
      .climbers = kClimbers,
      .ejects = true};
  Outcome outcome = solve_by_parts(problem, limits, options);
  if (outcome.offsets.empty()) return outcome;
  take_plan(problem, prefer_recent_bytes(problem, outcome.offsets), outcome);
  return outcome;
}

}  // namespace

const Strategy kAutomatic = {
    .name = "auto",
    .summary = "the default: heuristics, then a portfolio of exact searches on all cores",
    .cost = "milliseconds for most traces; otherwise until the height is proved or the limits run out",
    .guarantee = "optimal once proved; never above greedy-size; the same plan for the same node budget",
    .exact = true,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
