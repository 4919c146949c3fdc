// From passes to variants: which passes of the traces are the steady state, which of them are the same pass
// run again, and what one allocation of that pass needs so that every one of its runs is served.
//
//   traces ──► complete passes ──► grouped by what they allocate, in order ──► groups that recur = variants
//                                                                └─► passes that never recur = warm-up,
//                                                                dropped
//
// What threads without passes of their own allocated while passes ran becomes a variant of another kind (worker_variant.h),
// behind the others.
//
// The lifetimes of a variant count in allocations, not in events: a buffer born as the i-th allocation of its
// pass and freed before the k-th lives in [i, k). Two buffers can collide only at an allocation, so nothing
// is lost, and passes whose frees come in another order (a worker thread frees a moment later) are still the
// same variant.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

// A call site that means the same in every trace: modules are told apart by build-id, not by index.
struct PlanSite {
  std::uint32_t module = kNone;  // in Variants::modules
  std::uint64_t offset = 0;
  friend auto operator<=>(const PlanSite&, const PlanSite&) = default;
};

// One allocation of the pass, over all its runs: the largest size, the strictest alignment, the longest life.
struct Demand {
  Bytes size = 0;
  Bytes alignment = 1;
  Lifetime life;
  PlanSite site;
  std::uint32_t scope = kNone;  // in Variant::scopes
  bool escapes = false;         // outlived its pass at least once: stays on the heap
  Bytes growth =
      0;  // more for each step of the variant's parameter (families.h), or each further iteration (loop_growth.h)
  bool lingers = false;   // is handed on through too many iterations of its loop: stays there, too
  bool outgrows = false;  // grows with each of them, and takes less there (VariantLoop::growing)
};

// One operator call of the pass, in the order in which they began.
struct VariantScope {
  std::string name;
  std::uint32_t parent = kNone;
  Lifetime life;  // in allocations, like everything here
};

// What becomes larger with each iteration of a loop (loop_growth.h).
struct GrowingBuffers {
  std::uint32_t buffers = 0;    // of one iteration
  std::uint32_t handed_on = 0;  // of these, to the next
  Bytes slab = 0;               // that those handed on take in the slab, for the longest run that was seen
  Bytes heap = 0;               // that they take on the heap
  [[nodiscard]] bool stay_on_heap() const { return heap < slab; }
};

// A part that the passes repeat, another number of times in each. It stands in the variant `period` times; what an iteration
// hands on to the next ones is back in its place after so many.
struct VariantLoop {
  std::uint32_t first_demand = 0;
  std::uint32_t demands = 0;  // of one iteration
  std::uint32_t first_scope = 0;
  std::uint32_t scopes = 0;  // of one iteration
  std::uint32_t period = 1;
  std::vector<std::size_t> lengths;  // iterations that were seen, each once
  GrowingBuffers growing = {};

  [[nodiscard]] Time begin() const { return first_demand; }
  [[nodiscard]] Time end() const { return Time{first_demand} + Time{demands} * period; }
};

struct Variant {
  std::uint64_t key = 0;  // the pass key all its runs had; 0 where they had several
  std::uint64_t fingerprint = 0;
  std::string pass_name;
  std::size_t runs = 0;
  std::size_t shapes = 1;  // that it was joined from (families.h)
  std::vector<VariantScope> scopes;
  std::vector<Demand> demands;                              // in the order they are made
  std::vector<VariantLoop> loops;                           // one behind the other
  std::vector<std::pair<ScopeIndex, ScopeIndex>> parallel;  // scopes that overlapped in time in some run
};

// What opens a pass where the program does not say so: an allocation at this site of this many bytes.
struct Anchor {
  PlanSite site;
  Bytes least = 0;
  Bytes most = kAnySize;
  std::uint64_t key = 0;  // of the passes it opens
  static constexpr Bytes kAnySize = std::numeric_limits<Bytes>::max();
};

struct Variants {
  std::vector<Module> modules;    // that own a site
  std::vector<Variant> variants;  // most frequent first
  std::vector<Anchor> anchors;    // none: the program marks its passes, or hooks do
  std::size_t passes = 0;         // complete passes seen
  std::size_t warm_up = 0;        // of these, passes that belong to no variant
  std::size_t incomplete = 0;     // passes cut off by the end of the trace
  bool steady = true;             // false: nothing recurred, and the last pass was taken for want of better
};

[[nodiscard]] Variants find_variants(std::span<const Trace> traces);

}  // namespace memo::planner
