// What a plan is made for: what the passes of one kind allocate, in their order, with the operators and loops around it.
//
// The lifetimes of a variant count in allocations, not in events: a buffer born as the i-th allocation of its
// pass and freed before the k-th lives in [i, k). Two buffers can collide only at an allocation, so nothing
// is lost, and passes whose frees come in another order (a worker thread frees a moment later) are still the
// same variant.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/plan/shape_range.h"
#include "planner/plan/size_formula.h"
#include "planner/trace/trace.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {

// A call site with the same meaning in every trace: its module is known by build-id, not by its index in one
// trace.
struct PlanSite {
  std::uint32_t module = kNone;  // index into Variants::modules
  std::uint64_t offset = 0;
  friend auto operator<=>(const PlanSite&, const PlanSite&) = default;
};

// An allocation of the pass, united over all its runs: the largest size, the strictest alignment, the longest
// lifetime.
struct Demand {
  Bytes size = 0;
  Bytes alignment = 1;
  Lifetime life;
  PlanSite site;
  std::uint32_t scope = kNone;  // index into Variant::scopes
  // What its blocks need, as their lives tell: kLarge for bytes of their own. The layout gives cells to small ones of these, and leaves
  // to the heap what it has no room for.
  PlanZone zone = PlanZone::kLarge;
  std::uint32_t cells = 0;  // of its list or pool, at most
  std::uint32_t pool = 0;   // which of its variant, if it shares one; 0: the cells are its own
  Bytes growth =
      0;  // bytes more per step of the variant's parameter (families.h) or per iteration (growth.h)
  Bytes spread = 0;          // the smallest block seen was so many bytes smaller than the largest
  SizeFormula formula = {};  // how the size follows the two numbers of a structure's shapes, if it does
};

// A call of an operator in the pass. A variant lists them in the order in which they began.
struct VariantScope {
  std::string name;
  std::uint32_t parent = kNone;
  Lifetime life;  // counted in allocations, like all times of a variant
};

// A block on the heap is handed out anew in each iteration. That counts as much as the memory that it takes.
inline constexpr Bytes kWeightOfHeap = 2;

// The home of the growing buffers that one iteration hands on to the next: places of their own, cells that they share
// (growth.h), or none.
enum class Growing : std::uint8_t { kInSlab, kInPools, kOnHeap };

// The buffers that become larger with each iteration of a loop (growth.h).
struct GrowingBuffers {
  std::uint32_t buffers = 0;    // growing buffers of one iteration
  std::uint32_t handed_on = 0;  // of these, the buffers handed on to the next iteration
  Bytes slab = 0;  // bytes the handed-on buffers take in places of their own, for the longest run seen
  Bytes heap = 0;  // bytes the same buffers take on the heap
  std::optional<Bytes>
      pools;  // bytes of the cells that they could share; none where a cell cannot hold one of them

  // Returns the home that costs least. Blocks that a cell can hold come often, and may take more than on the heap.
  [[nodiscard]] Growing home() const {
    if (slab <= heap && slab <= pools.value_or(slab)) return Growing::kInSlab;
    return pools && *pools <= kWeightOfHeap * heap ? Growing::kInPools : Growing::kOnHeap;
  }
};

// A part that the passes repeat, each pass a different number of times. The variant holds `period` iterations
// of it: after that many iterations, what one iteration hands on to the next is back in its place.
struct VariantLoop {
  std::uint32_t first_demand = 0;
  std::uint32_t demands = 0;  // demands of one iteration
  std::uint32_t first_scope = 0;
  std::uint32_t scopes = 0;  // scopes of one iteration
  std::uint32_t period = 1;
  std::vector<std::size_t> lengths;  // the numbers of iterations that were seen, each once
  GrowingBuffers growing = {};

  [[nodiscard]] Time begin() const { return first_demand; }
  [[nodiscard]] Time end() const { return Time{first_demand} + Time{demands} * period; }
};

struct Variant {
  std::uint64_t key = 0;  // the pass key that all its runs had; 0 where they had several
  std::uint64_t fingerprint = 0;
  std::string pass_name;
  std::size_t runs = 0;
  std::size_t shapes = 1;  // how many shapes were joined to it (families.h, structures.h)
  ShapeRange range = {};   // of a structure
  std::vector<VariantScope> scopes;
  std::vector<Demand> demands;                              // in the order the program makes them
  std::vector<VariantLoop> loops;                           // one after the other
  std::vector<std::pair<ScopeIndex, ScopeIndex>> parallel;  // scopes that overlapped in time, or are branches
  // The second may run before all have read what the first one hands on, as the data flow tells.
  std::vector<std::pair<ScopeIndex, ScopeIndex>> outlasting = {};
  bool has_orders = false;  // its passes had their large blocks in several orders (reserve.h)
};

// The opening of passes in a program that does not mark them: an allocation at this site, of `least` to
// `most` bytes.
struct Anchor {
  PlanSite site;
  Bytes least = 0;
  Bytes most = kAnySize;
  std::uint64_t key = 0;  // pass key of the passes it opens
  static constexpr Bytes kAnySize = std::numeric_limits<Bytes>::max();
};

struct Variants {
  std::vector<Module> modules;    // modules that own a site
  std::vector<Variant> variants;  // most frequent first
  std::vector<Anchor> anchors;    // empty where the program or hooks mark the passes
  std::size_t passes = 0;         // complete passes seen
  std::size_t distinct = 0;       // of these, passes that are not alike (distinct_passes.h)
  std::size_t warm_up = 0;        // complete passes that belong to no variant
  std::size_t incomplete = 0;     // passes cut off by the end of the trace
  std::size_t before_steady = 0;  // passes of a kind before the first one that recurs
  Bytes asked_by_last_alone =
      0;                 // by a trace's last pass, if it came once and asks for more than any that is planned
  bool watched = false;  // they were recorded with data flow, and have what the watching asks for
  bool steady = true;    // false: no pass recurred, so the last pass became the only variant
};

// Returns why a plan leaves this allocation to the heap; empty for a planned one.
[[nodiscard]] std::string_view why_unplanned(const Demand& demand);

// Returns the bytes that all demands of the variant ask for, each once.
[[nodiscard]] Bytes bytes_requested(const Variant& variant);

}  // namespace memo::planner
