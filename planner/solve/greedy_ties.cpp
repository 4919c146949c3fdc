#include "planner/solve/greedy_ties.h"

#include <array>
#include <functional>
#include <vector>

#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"
#include "planner/solve/greedy_breadth.h"
#include "planner/solve/greedy_execution.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/strip_packing.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostPlacements = 100'000;

constexpr SizeTies kDefaultTies{};
constexpr std::array<SizeTies, 4> kSizeTies = {{kDefaultTies,
                                                {.longer_first = true, .later_first = true},
                                                {.longer_first = false, .later_first = false},
                                                {.longer_first = false, .later_first = true}}};

using Rule = std::function<Offsets(const Problem&)>;

Rule by_size(SizeTies ties, Fit fit) {
  return [=](const Problem& problem) { return place_in_order(problem, size_order(problem, ties), fit); };
}

Rule by_breadth(BreadthTies ties) {
  return [=](const Problem& problem) {
    return place_in_order(problem, breadth_order(problem, ties), Fit::kBest);
  };
}

Rule by_execution(Fit fit) {
  return [=](const Problem& problem) { return place_in_order(problem, birth_order(problem), fit); };
}

Rule by_strip(EquallyLong ties) {
  return [=](const Problem& problem) { return pack_strip(problem, ties); };
}

// Adds all rules but those of the strategies themselves.
void add_other_ties(std::vector<Rule>& rules) {
  constexpr BreadthTies kOwn{};
  for (const SizeTies ties : kSizeTies) {
    if (ties != kDefaultTies) rules.push_back(by_size(ties, Fit::kBest));
    rules.push_back(by_size(ties, Fit::kFirst));
    for (const bool later : {true, false}) {
      if (later == kOwn.later_moment_first && ties == kOwn.buffers) continue;
      rules.push_back(by_breadth({.later_moment_first = later, .buffers = ties}));
    }
  }
  rules.push_back(by_execution(Fit::kBest));
}

bool takes_strips(const Problem& problem) {
  return kStripPacking.refusal(problem).empty();
}

// Adds all rules but those of greedy-size and strip-packing.
void add_more_rules(const Problem& problem, std::vector<Rule>& rules) {
  rules.push_back(by_breadth({}));
  rules.push_back(by_execution(Fit::kFirst));
  if (takes_strips(problem)) rules.push_back(by_strip(EquallyLong::kLargest));
  add_other_ties(rules);
}

Outcome lowest_of(const std::vector<Rule>& rules, const Problem& problem, const Limits& limits) {
  Budget budget = Budget::of_time(limits);
  const Bytes bound = lower_bound(problem);
  std::size_t placements = 0;
  Offsets best;
  for (const Rule& rule : rules) {
    Offsets offsets = rule(problem);
    if (best.empty() || height(problem, offsets) < height(problem, best)) best = std::move(offsets);
    placements += problem.buffers.size();
    if (height(problem, best) <= bound || placements > kMostPlacements || !budget.spend(placements)) break;
  }
  return conclude(problem, std::move(best));
}

Outcome solve(const Problem& problem, const Limits& limits) {
  std::vector<Rule> rules{by_size({}, Fit::kBest)};
  if (takes_strips(problem)) rules.push_back(by_strip(EquallyLong::kFirstBorn));
  add_more_rules(problem, rules);
  return lowest_of(rules, problem, limits);
}

Outcome solve_by_others(const Problem& problem, const Limits& limits) {
  std::vector<Rule> rules;
  add_more_rules(problem, rules);
  return lowest_of(rules, problem, limits);
}

}  // namespace

const Strategy kGreedyTies = {
    .name = "greedy-ties",
    .summary = "The greedy strategies under every rule for ties; the lowest plan",
    .cost = "O(n * (log n + gaps)), some twenty times",
    .guarantee = "never above greedy-size",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

const Strategy kOtherTies = {
    .name = "greedy-ties",
    .summary = "greedy-ties without greedy-size and strip-packing, for those who ran these already",
    .cost = kGreedyTies.cost,
    .guarantee = "none",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve_by_others,
};

}  // namespace memo::planner
