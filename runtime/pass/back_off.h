// Backs a pass off that has lost its place: it leaves its allocations to the heap without a search, and then looks for its
// place again. Each back-off of a pass is twice as long as the one before. So a pass that is not the planned one, such as
// that in which a JIT compiles, costs a few searches for each doubling of its length.
#pragma once

#include <algorithm>

#include "runtime/platform/backoff.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

inline constexpr std::uint32_t kPatience = 128;  // misses in a row after which a pass backs off
inline constexpr std::uint32_t kPatienceAfterBackoff =
    16;  // the same, for a pass that is served nothing after its back-off
inline constexpr Backoff<std::uint32_t> kBackoffOfPass{.first = kPatience, .longest = kPatience << 20};

// Counts a miss. Whether anything was served since the last one shows how well the pass knows its place.
inline void count_for_patience(Progress& progress, std::uint64_t served) {
  const std::uint64_t in_between = served - progress.served_at_miss;
  if (in_between != 0) progress.misses_in_row = 0;
  if (in_between >= kPatience) progress.backoff = 0;
  progress.served_at_miss = served;
  ++progress.misses_in_row;
}

// Backs the pass off once it has missed for too long. `at` is the slot at which it goes on afterwards, unless operators
// lead it further meanwhile. Returns true if it backs off.
inline bool backs_off_now(Progress& progress, std::uint32_t at) {
  if (progress.misses_in_row < kPatience) return false;
  progress.lost_at = at;
  progress.backoff_left = progress.backoff = kBackoffOfPass.after(progress.backoff);
  return true;
}

// Counts an allocation of a pass that backs off. Returns true if its back-off is over: it looks for its place. A signal handler
// that asks while a pass begins finds the place of an earlier pass, whose variant may have had more slots.
inline bool has_backed_off(ThreadState& self) {
  Lane& lane = *self.lane;
  Progress& progress = lane.progress;
  if (progress.backoff_left != 0) {
    --progress.backoff_left;
    return false;
  }
  progress.misses_in_row = kPatience - kPatienceAfterBackoff;
  progress.served_at_miss = self.served;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  place_cursor(self, variant.hot + std::min(progress.lost_at, variant.slot_count));
  return true;
}

}  // namespace memo::runtime
