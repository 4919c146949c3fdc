// The list of strategies. A new strategy needs its own file, and a line here.
#include "planner/registry/registry.h"

#include <algorithm>

#include "planner/literature/allocation_tree.h"
#include "planner/literature/allocation_tree_improved.h"
#include "planner/solve/bump.h"
#include "planner/literature/greedy_order.h"
#include "planner/literature/mincost_flow.h"
#include "planner/literature/mip.h"
#include "planner/literature/nnc.h"
#include "planner/literature/nnc_page.h"
#include "planner/literature/nnc_sub_graphs.h"
#include "planner/literature/reuse.h"
#include "planner/literature/shared_breadth.h"
#include "planner/literature/shared_size.h"
#include "planner/literature/shared_size_improved.h"
#include "planner/literature/telamalloc.h"
#include "planner/placing/strategy.h"
#include "planner/solve/automatic.h"
#include "planner/solve/boxing.h"
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

std::span<const Strategy> all_strategies() {
  // clang-format off
  static const Strategy kAll[] = {
      kAutomatic,
      kBump,
      kGreedySize,
      kGreedyBreadth,
      kGreedyExecution,
      kGreedyTies,
      kSharedSize,
      kSharedSizeImproved,
      kSharedBreadth,
      kStripPacking,
      kMincostFlow,
      kGreedyOrder,
      kGergov,
      kNnc,
      kNncPage,
      kNncSubGraphs,
      kReuse,
      kAllocationTree,
      kAllocationTreeImproved,
      kMip,
      kHillClimb,
      kBoxing,
      kEjection,
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
