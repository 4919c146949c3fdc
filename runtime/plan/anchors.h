// Finds the begin of passes in a program that does not mark them: at allocations of certain sizes from a few
// call sites (PlanAnchor).
//
// The anchors of the plan in force, at the addresses they have in this process, have a table of their own:
// threads read it outside of passes, where nothing keeps a plan from being replaced. A thread that reads a
// half-written change begins a pass that matches nothing, or misses a pass.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

struct Anchor {
  std::atomic<std::uint64_t> site;  // absolute return address, or kNoSite
  std::atomic<std::uint64_t> least, most;
  std::atomic<std::uint64_t> pass_key;
};

struct Anchors {
  std::atomic<std::uint32_t> count;  // 0: the program marks its passes, or hooks do
  std::atomic<bool> met;             // a pass began at one of the anchors
  // allocations that matched no anchor, before a pass began
  std::atomic<std::uint64_t> awaited;
  Anchor rows[kMaxAnchors];
};

extern Anchors g_anchors;

// Returns true if only anchors open passes of the plan in force.
inline bool anchors_open_passes() {
  return g_anchors.count.load(std::memory_order_relaxed) != 0;
}

// Returns true if only anchors open passes, and none has begun: the plan is of another program, or of other
// work.
inline bool passes_are_absent() {
  return anchors_open_passes() && !g_anchors.met.load(std::memory_order_relaxed);
}

inline void anchor_was_met() {
  if (!g_anchors.met.load(std::memory_order_relaxed)) g_anchors.met.store(true, std::memory_order_relaxed);
}

// Counts `allocations` that matched no anchor. Returns true once for each set of anchors: when a server would
// have begun its passes after so many allocations, and none has begun.
[[nodiscard]] bool passes_are_missed_after(std::uint64_t allocations);

// Returns true if no pass has begun in a program that has allocated more than a shell does. For the end of the
// program, when no pass can begin any more.
[[nodiscard]] bool passes_never_came();

// Returns the anchor that this allocation is; nullptr if it is none.
[[nodiscard]] const Anchor* find_anchor(std::uint64_t site, std::size_t size);

// Takes the anchors of the plan. To be called whenever the library has looked up call sites, and when it
// replaces a plan.
void set_anchors(const LoadedPlan& plan);

}  // namespace memo::runtime
