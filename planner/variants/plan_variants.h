// From variants to a plan: which allocations are small enough for a cell, where the large ones lie, what is
// left to the heap, and how good the result is.
//
//   demands ──► escaping ones           ──► heap
//          ├──► small, alignment ≤ 64   ──► cells, one set for all variants   (small_cells.h)
//          └──► large                   ──► allocation problem of the variant ──► strategy ──► offsets behind
//          the cells
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/plan/plan_description.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// Why no plan holds this allocation, so that it stays on the heap; empty for one that is planned.
[[nodiscard]] std::string_view why_unplanned(const Demand& demand);

// A part that its passes repeat.
struct LoopReport {
  std::size_t slots = 0;             // of one iteration
  std::size_t period = 0;            // iterations after which everything is back in its place
  std::vector<std::size_t> lengths;  // numbers of iterations that were seen
  GrowingBuffers growing;
};

struct VariantReport {
  std::uint64_t key = 0;
  std::string pass_name;
  std::size_t runs = 0;
  std::size_t buffers = 0;    // planned
  std::size_t unplanned = 0;  // left to the heap
  std::size_t scopes = 0;
  std::size_t shapes = 1;   // of the profile, joined because their sizes lie on a line
  std::size_t growing = 0;  // of the planned: those whose size differs between the shapes
  std::vector<LoopReport> loops;
  Bytes bytes_requested = 0;         // by the planned ones
  Bytes lower_bound = 0;             // peak live bytes of the planned ones: no slab can be smaller
  Bytes height = 0;                  // bytes of the slab, cells and rounding included
  Bytes cells = 0;                   // of these, the cells
  Status status = Status::kTimeout;  // of the large ones' problem
  std::string strategy;
  double seconds = 0;
  std::string note;  // what the strategy had to say
};

struct PlannedVariants {
  PlanDescription plan;
  std::vector<VariantReport> reports;  // one for each variant of the plan
};

// Throws PlanningFailed when the strategy has no plan for a variant, with its reason.
[[nodiscard]] PlannedVariants plan_variants(const Variants& variants, const Strategy& strategy,
                                            const Limits& limits);

class PlanningFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace memo::planner
