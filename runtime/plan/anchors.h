// Where passes begin in a program that does not say so: at allocations from a few call sites, of certain sizes (PlanAnchor).
//
// The anchors of the plan in force, at the addresses they have in this process, stand in a table of their own: threads look
// at it outside of passes, where nothing keeps a plan from being replaced. Whoever reads half of a change begins a pass that
// matches nothing, or misses one.
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
  std::atomic<std::uint32_t> count;  // 0: passes are marked, or hooked
  std::atomic<bool> met;             // a pass began at one of these
  std::atomic<std::uint64_t> awaited;
  Anchor rows[kMaxAnchors];
};

extern Anchors g_anchors;

// The plan in force knows no passes but those that its anchors open.
inline bool anchors_open_passes() {
  return g_anchors.count.load(std::memory_order_relaxed) != 0;
}

// The plan in force knows no other passes, and none has begun: a plan of another program, or of other work.
inline bool passes_are_absent() {
  return anchors_open_passes() && !g_anchors.met.load(std::memory_order_relaxed);
}

inline void anchor_was_met() {
  if (!g_anchors.met.load(std::memory_order_relaxed)) g_anchors.met.store(true, std::memory_order_relaxed);
}

// So many allocations more were none of the anchors. Returns true once for each set of anchors: when they are so many that a
// server would have begun its passes, and none has.
[[nodiscard]] bool passes_are_missed_after(std::uint64_t allocations);

// Returns true if no pass has begun in a program that does more than a shell: at its end there will be none any more.
[[nodiscard]] bool passes_never_came();

// Nullptr for any other allocation.
[[nodiscard]] const Anchor* find_anchor(std::uint64_t site, std::size_t size);

// To be called whenever call sites were found, and when a plan is replaced.
void set_anchors(const LoadedPlan& plan);

}  // namespace memo::runtime
