#include "planner/solve/canonical.h"

#include <array>

#include "planner/placing/outcome.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/parts_solver.h"

namespace memo::planner {
namespace {

constexpr std::array<const Strategy*, 1> kStart = {&kGreedySize};

Outcome solve_with_all_rules(const Problem& problem, const Limits& limits) {
  return solve_canonical(problem, limits, Rules{});
}

}  // namespace

Outcome solve_canonical(const Problem& problem, const Limits& limits, const Rules& rules) {
  constexpr std::size_t kMostRefuted = std::size_t{1} << 22;
  const PartsOptions options{.portfolio = {.rules = rules, .seed = limits.seed, .most_refuted = kMostRefuted},
                             .heuristics = kStart};
  return solve_by_parts(problem, limits, options);
}

const Strategy kCanonical = {
    .name = "canonical",
    .summary = "exact: bottom-up branch and bound over canonical plans, after MiniMalloc, on one thread",
    .cost = "exponential at worst; O(overlapping pairs) memory; real traces take about one node a buffer",
    .guarantee = "optimal, or infeasible, once proved; otherwise what greedy-size gives, or better",
    .exact = true,
    .refusal = no_refusal,
    .solve = solve_with_all_rules,
};

}  // namespace memo::planner
