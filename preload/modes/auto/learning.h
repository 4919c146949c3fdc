// The state of mode auto in this process, which its parts share. One thread at a time changes it (looks.h); the
// hot paths read it.
#pragma once

#include <cstdint>

#include "preload/modes/auto/own_claim.h"
#include "preload/modes/auto/price.h"
#include "preload/modes/auto/schedule.h"
#include "preload/platform/relaxed.h"
#include "runtime/platform/try_flag.h"

namespace memo::guest {

struct Learning {
  bool recording = true;    // read and written in order with what the recording needs
  bool everything = false;  // records everything, until a pass is marked
  bool marked = false;      // a marked or hooked pass was seen
  bool for_good = false;    // never learns again: told to learn once, no planner, no memory
  bool due = false;         // the schedule wants a recording, or marked passes do
  bool rests = false;       // recording everything pauses, until another stretch may begin
  bool anew = false;        // records everything although there is a plan: none of its passes has begun
  bool stranger = false;    // not the program that was started (stranger.h): learned by marked passes alone
  std::uint64_t calls = 0;  // allocations recorded while no pass was marked, in steps of kCallsBetweenLooks
  std::uint64_t plans = 0;  // plans taken up when a thread last looked
  OwnClaim claim;
  Schedule schedule;
  Price price;
  runtime::TryFlag deciding;  // held by the one thread that decides
};
extern constinit Learning g_learning;

inline bool recording() {
  return __atomic_load_n(&g_learning.recording, __ATOMIC_ACQUIRE);
}
inline void set_recording(bool recording) {
  __atomic_store_n(&g_learning.recording, recording, __ATOMIC_RELEASE);
}

inline bool has_marked_passes() {
  return read_relaxed(g_learning.marked);
}

// Sets the state, and shows it at once to watchers outside.
void enter_state(const char* state);

}  // namespace memo::guest
