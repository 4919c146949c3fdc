// The arena's state of each thread: plain data in the static TLS block, nothing to construct or destroy.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/slab/lane.h"
#include "runtime/slab/progress.h"

namespace memo::runtime {

// Cursors that no allocation matches: kNoPass outside of served passes, kReentered while the thread is inside
// the arena (so that a signal handler that allocates there goes to the heap).
extern const HotSlot kNoPass;
extern const HotSlot kReentered;

// Bits of ThreadState::frame_or_last outside of passes, above all addresses. Without one of them nothing is known of the last pass.
inline constexpr std::uint64_t kLastWasCounted =
    std::uint64_t{1} << 63;  // below it: the most bytes that it may have held at once
inline constexpr std::uint64_t kLastPassedBy = std::uint64_t{1} << 62;
inline constexpr std::uint64_t kLastWasSkipped = std::uint64_t{1}
                                                 << 61;  // below it: the address of its Skip (skipping.h)

struct ThreadState {
  const HotSlot* cursor = &kNoPass;      // the slot expected next
  std::atomic<Owner>* owners = nullptr;  // owners of the lane, from its first granule on
  char* base = nullptr;                  // first byte of the lane
  const HotSlot* counted =
      &kNoPass;                    // slots from here to the cursor were served, and are not in `served` yet
  std::uint64_t served = 0;        // blocks served in this pass
  std::uint64_t served_bytes = 0;  // bytes that all blocks served in this pass were asked for
  Lane* lane = nullptr;            // lane of this pass; nullptr: its allocations go to the heap
  Lane* last_lane = nullptr;       // lane of the pass before: still in this core's cache
  std::uint64_t frame_or_last =
      0;  // in a pass: stack pointer of the outermost one's begin; then: what its end left (runtime/pass/last_pass.h)
  std::uint64_t missed = 0;  // allocations in a pass without a lane, and of one that has ended on either
  std::uint64_t missed_bytes = 0;
  std::uint32_t depth = 0;  // nested passes; 0 outside of passes
  ThreadName thread = 0;    // 0 before the thread asked for it, and where it is not known
  std::uint32_t worked_for =
      0;  // RunningPasses::latest() when this worker's pass began (runtime/pass/workers.h)
  std::uint16_t counted_kind : 7 = 0;  // kind of the pass if it passes by and is counted (worth.h), or 0
  bool is_worker : 1 = false;          // the pass is a worker's
  Reason why : 4 = Reason::kNoPlan;    // why there is no lane
  bool is_steady : 1 = false;          // the pass began after the warm-up, under a plan
  bool passes_by : 1 = false;          // the pass has no lane, and its allocations need not be seen
  bool is_running : 1 = false;         // the pass is one of g_running_passes
  bool holds_for_fork : 1 = false;     // holds the lock of the plans while it forks
  bool ignores_operators = false;      // hooked operators need not be told: their thunks read this byte
  bool moves_on : 1 = false;  // a worker's pass is ending or beginning: a signal handler must not interfere
  bool has_looked_for_ended_threads : 1 = false;
  bool has_turn : 1 = false;            // gives it back at the pass's end (runtime/serving/turns.h)
  bool has_begun : 1 = false;           // the thread has begun a pass
  std::uint8_t passes_to_warm : 4 = 0;  // passes of this thread that are still its warm-up
};
static_assert(sizeof(ThreadState) == 104, "static TLS is scarce: more moves the heap's by a cache line");

extern constinit thread_local ThreadState t_self;

// Counts what was served up to the cursor. To be called before anything but the fast path moves the cursor;
// place_cursor() moves it.
inline void count_served(ThreadState& self) {
  if (self.cursor == &kReentered || self.cursor == self.counted) return;
  self.served += static_cast<std::uint64_t>(self.cursor - self.counted);
  self.counted = self.cursor;
}
inline void place_cursor(ThreadState& self, const HotSlot* slot) {
  self.cursor = self.counted = slot;
}

// Returns true if the pass did not match for so long that it leaves a while to the heap (runtime/pass/back_off.h).
inline bool is_backing_off(const ThreadState& self) {
  return self.cursor == &kNoPass;
}

}  // namespace memo::runtime
