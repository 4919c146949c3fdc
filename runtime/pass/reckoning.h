// The reckoning when a pass is over: what it was served and missed, whether its lane is still worth having, whether
// the plan shall grow.
#pragma once

#include <cstdint>

#include "runtime/serving/statistics.h"
#include "runtime/slab/progress.h"
#include "runtime/slab/thread_state.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {

[[nodiscard]] PassCounters& counters_of(LaneFor use);

// Adds what the pass missed on its lane, by reason. Returns their number.
std::uint64_t add_fallback(PassCounters& counters, const Progress& progress);

// Counts the pass's blocks among those of the steady state.
void count_steady_blocks(const ThreadState& self);

// Counts the passes of this key and kind, or of all, that were skipped (runtime/slab/skipping.h).
void count_skipped_passes(std::uint64_t key, PassKind& kind);
void count_all_skipped_passes();

// Reckons up the pass on its lane, and gives the lane back.
void end_on_lane(ThreadState& self);

}  // namespace memo::runtime
