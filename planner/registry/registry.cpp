// The list of the product's strategies. A new strategy needs its own file, and a line here.
#include "planner/registry/registry.h"

#include <algorithm>

#include "planner/placing/strategy.h"
#include "planner/solve/automatic.h"
#include "planner/solve/boxing.h"
#include "planner/solve/bump.h"
#include "planner/solve/canonical.h"
#include "planner/solve/ejection.h"
#include "planner/solve/gergov.h"
#include "planner/solve/greedy_breadth.h"
#include "planner/solve/greedy_execution.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/greedy_ties.h"
#include "planner/solve/hill_climb.h"
#include "planner/solve/strip_packing.h"

namespace memo::planner {

std::span<const Strategy> own_strategies() {
  // clang-format off
  static const Strategy kOwn[] = {
      kAutomatic,
      kBump,
      kGreedySize,
      kGreedyBreadth,
      kGreedyExecution,
      kGreedyTies,
      kStripPacking,
      kGergov,
      kHillClimb,
      kBoxing,
      kEjection,
      kCanonical,
  };
  // clang-format on
  return kOwn;
}

const Strategy* find_strategy(std::string_view name) {
  return find_strategy(own_strategies(), name);
}

const Strategy* find_strategy(std::span<const Strategy> strategies, std::string_view name) {
  const auto found = std::ranges::find(strategies, name, &Strategy::name);
  return found == strategies.end() ? nullptr : &*found;
}

}  // namespace memo::planner
