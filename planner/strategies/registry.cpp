// The list of strategies. To add one: its own file, and a line here.
#include <algorithm>

#include "planner/search/automatic.h"
#include "planner/search/canonical.h"
#include "planner/strategies/allocation_tree.h"
#include "planner/strategies/boxing.h"
#include "planner/strategies/bump.h"
#include "planner/strategies/gergov.h"
#include "planner/strategies/greedy_breadth.h"
#include "planner/strategies/greedy_order.h"
#include "planner/strategies/greedy_size.h"
#include "planner/strategies/hill_climb.h"
#include "planner/strategies/mincost_flow.h"
#include "planner/strategies/mip.h"
#include "planner/strategies/nnc.h"
#include "planner/strategies/reuse.h"
#include "planner/strategies/shared_breadth.h"
#include "planner/strategies/shared_size.h"
#include "planner/strategies/shared_size_improved.h"
#include "planner/strategies/strategy.h"
#include "planner/strategies/strip_packing.h"
#include "planner/strategies/telamalloc.h"

namespace memo::planner {

std::span<const Strategy> all_strategies() {
  // clang-format off
  static const Strategy kAll[] = {
      kAutomatic,
      kBump,
      kGreedySize,
      kGreedyBreadth,
      kSharedSize,
      kSharedSizeImproved,
      kSharedBreadth,
      kStripPacking,
      kMincostFlow,
      kGreedyOrder,
      kGergov,
      kNnc,
      kReuse,
      kAllocationTree,
      kMip,
      kHillClimb,
      kBoxing,
      kCanonical,
      kTelamalloc,
  };
  // clang-format on
  return kAll;
}

const Strategy* find_strategy(std::string_view name) {
  const std::span<const Strategy> all = all_strategies();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Strategy& strategy) { return strategy.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace memo::planner
