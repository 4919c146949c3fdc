// Turns variants into a plan: decides which allocations are small enough for a cell, where the large ones lie
// and which stay on the heap, and reports how good the result is.
//
//   demands ──► escaping ones           ──► heap
//          ├──► small, alignment ≤ 64   ──► cells, one set for all variants   (small_cells.h)
//          ├──► gathered by a loop      ──► lists: cells for each variant alone       (lists.h)
//          └──► large                   ──► allocation problem of the variant ──► strategy ──► offsets,
//                                                                                          above the cells
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/plan/plan_description.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Describes a part of a pass that the pass repeats.
struct LoopReport {
  std::size_t slots = 0;             // slots of one iteration
  std::size_t period = 0;            // iterations after which every block is back in its place
  std::size_t around = 0;            // loops that it lies in
  std::vector<std::size_t> lengths;  // the numbers of iterations that were seen
  GrowingBuffers growing;
};

struct VariantReport {
  std::uint64_t key = 0;
  std::string pass_name;
  std::size_t runs = 0;
  std::size_t buffers = 0;    // planned allocations
  std::size_t unplanned = 0;  // allocations left to the heap
  std::size_t scopes = 0;
  std::size_t shapes =
      1;             // profiled shapes, joined because their sizes lie on a line or they are one structure
  ShapeRange range;  // of a structure
  std::size_t growing = 0;   // planned allocations whose size differs between the shapes
  std::size_t formulas = 0;  // planned allocations whose size follows two numbers of the shapes
  std::vector<LoopReport> loops;
  Bytes bytes_requested = 0;  // bytes that the planned allocations request
  Bytes lower_bound = 0;      // peak live bytes of the planned allocations: no slab can be smaller
  Bytes height = 0;           // bytes of the slab, cells and rounding included
  Bytes cells = 0;            // bytes of the height that are cells
  Bytes reserve = 0;          // likewise, for large blocks in orders that were not recorded (reserve.h)
  Status status = Status::kTimeout;  // outcome for the problem of the large allocations
  bool optimal_for_larger = false;   // the same proof holds for every larger shape (scaling.h)
  std::string strategy;
  double seconds = 0;
  std::string note;  // remark of the strategy
};

struct PlannedVariants {
  PlanDescription plan;
  std::vector<VariantReport> reports;  // one for each variant of the plan
};

// Plans all variants, and calls `begins` before it solves each. Throws PlanningFailed, with the strategy's reason, when
// the strategy has no plan for a variant.
[[nodiscard]] PlannedVariants plan_variants(
    const Variants& variants, const Strategy& strategy, const Limits& limits,
    const std::function<void(const Variant&)>& begins = [](const Variant&) {});

class PlanningFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace memo::planner
