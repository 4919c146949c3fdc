// A pass that has lost its place rests: it leaves its allocations to the heap without a search, and then looks for its
// place again. Each rest of a pass is twice as long as the one before, so that a pass that is another one than planned,
// as that in which a JIT compiles, costs a few searches for each doubling of its length.
#pragma once

#include <algorithm>

#include "runtime/platform/backoff.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

inline constexpr std::uint32_t kPatience = 128;  // misses in a row after which a pass rests
inline constexpr std::uint32_t kPatienceAfterRest =
    16;  // the same, for a pass that is served nothing after its rest
inline constexpr Backoff<std::uint32_t> kRestsOfPass{.first = kPatience, .longest = kPatience << 20};

// Counts a miss. Whether anything was served since the last one shows how well the pass knows its place.
inline void count_for_patience(Progress& progress, std::uint64_t served) {
  const std::uint64_t in_between = served - progress.served_at_miss;
  if (in_between != 0) progress.misses_in_row = 0;
  if (in_between >= kPatience) progress.rested = 0;
  progress.served_at_miss = served;
  ++progress.misses_in_row;
}

// Lets the pass rest once it has missed for too long. `at` is the slot at which it goes on afterwards, unless operators
// lead it further meanwhile. Returns true if it rests.
inline bool rests_now(Progress& progress, std::uint32_t at) {
  if (progress.misses_in_row < kPatience) return false;
  progress.lost_at = at;
  progress.rest = progress.rested = kRestsOfPass.after(progress.rested);
  return true;
}

// Notes one more allocation of a resting pass. Returns true if the pass has rested enough, and looks for its place. A signal handler
// that asks while a pass begins finds the place of an earlier pass, whose variant may have had more slots.
inline bool has_rested(ThreadState& self) {
  Lane& lane = *self.lane;
  Progress& progress = lane.progress;
  if (progress.rest != 0) {
    --progress.rest;
    return false;
  }
  progress.misses_in_row = kPatience - kPatienceAfterRest;
  progress.served_at_miss = self.served;
  const Variant& variant = *lane.variant.load(std::memory_order_relaxed);
  place_cursor(self, variant.hot + std::min(progress.lost_at, variant.slot_count));
  return true;
}

}  // namespace memo::runtime
