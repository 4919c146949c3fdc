// The list of these strategies. A new strategy needs its own file, and a line here.
#include "planner/literature/literature.h"

#include "planner/literature/allocation_tree.h"
#include "planner/literature/allocation_tree_improved.h"
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

namespace memo::planner {

std::span<const Strategy> literature_strategies() {
  // clang-format off
  static const Strategy kLiterature[] = {
      kSharedSize,
      kSharedSizeImproved,
      kSharedBreadth,
      kMincostFlow,
      kGreedyOrder,
      kNnc,
      kNncPage,
      kNncSubGraphs,
      kReuse,
      kAllocationTree,
      kAllocationTreeImproved,
      kMip,
      kTelamalloc,
  };
  // clang-format on
  return kLiterature;
}

}  // namespace memo::planner
