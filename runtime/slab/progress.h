// How far the pass on a lane has come, and why the heap had to serve what its plan did not. Lies in the lane, and not with the
// thread, so that others can end the pass of a thread that has ended.
#pragma once

#include <cstdint>

#include "runtime/formats/reasons.h"
#include "runtime/plan/loaded_plan.h"
#include "runtime/plan/wishes.h"

namespace memo::runtime {

using memo::Reason;

// Returns true if the plan itself leaves such requests to the heap.
constexpr bool is_foreseen(Reason reason) {
  return reason == Reason::kUnplanned || reason == Reason::kKept;
}

// The variants that a pass may use: those of its key; if there are none, those without a key; if there are none
// either and the pass has no key, all. Only workers use the variants for workers.
struct Wanted {
  bool any;
  std::uint64_t key;

  [[nodiscard]] bool fits(const Variant& variant) const {
    return variant.pass_key == key || (any && !is_for_workers(variant));
  }
};

inline constexpr std::uint32_t kMaxOpenScopes = 64;

// The progress of a pass in its variant. Only the thread that runs the pass uses it.
struct Progress {
  Wanted wanted;
  std::uint64_t searched;  // requests that were not what the plan expected next
  std::uint64_t fallback[kReasonCount];
  std::uint64_t fallback_bytes;
  std::uint64_t kept_bytes;      // of these, the ones of blocks that outlive their pass
  std::uint64_t occupied_bytes;  // of these, the ones whose places were taken
  std::uint64_t held_before;     // the most that the pass may have held at once in variants that it left
  std::uintptr_t object;         // that the pass is a call of, or 0; after it, of the lane's last pass
  Wishes wishes;                 // of the variant that the pass is in
  std::uint64_t served_at_miss;  // `served` at the last miss: equal means nothing was served since
  std::uint32_t misses_in_row;
  std::uint32_t backoff_left;  // allocations that go to the heap before the pass looks for its place
  std::uint32_t backoff;     // as many as that were when it last backed off; 0: it matched for a while since
  std::uint32_t lost_at;     // slot at which a pass that backed off goes on
  bool departed;             // the pass did something else than the plan foresees
  bool departed_unled;       // it did so for the first time while it ignored operators from its begin on
  bool has_turn;             // the pass has a turn (runtime/serving/turns.h)
  bool let_go;               // it ignores operators since it iterated as planned
  std::uint32_t resume;      // slot to go on at if the pass skipped those before it; kNone
  std::uint32_t next_spare;  // where the search for a spare cell goes on
  std::uint32_t next_scope;  // scope expected next, in the order of the plan
  std::uint32_t open_scopes;
  std::uint32_t open[kMaxOpenScopes];  // open scopes, innermost last; kNone for one that the plan lacks
};

inline void count_fallback(Progress& progress, Reason reason, std::uint64_t bytes) {
  ++progress.fallback[static_cast<int>(reason)];
  progress.fallback_bytes += bytes;
  if (reason == Reason::kKept) progress.kept_bytes += bytes;
  if (reason == Reason::kOccupied) progress.occupied_bytes += bytes;
}

}  // namespace memo::runtime
