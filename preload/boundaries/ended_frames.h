// Notices that a thread has left frames of its shadow stack (shadow_stack.h), and ends what they began.
#pragma once

#include <cstdint>

#include "preload/boundaries/boundary.h"
#include "preload/route/route.h"

namespace memo::guest {

// Says how to tell that the innermost frame of the thread's shadow stack has ended: the thread is seen at
// the stack pointer `limit` or above, or `return_slot` no longer holds the frame's return address.
struct InnermostFrame {
  std::uintptr_t limit;
  const void* const* return_slot;  // never null
  const void* return_address;
};
extern thread_local constinit InnermostFrame t_frame __attribute__((tls_model("initial-exec")));

// Ends the frames that the thread has left. Called rarely.
void leave_ended_frames(CallSite site);

// Returns true if the thread may have left its innermost frame. Costs four loads, two compares and two
// branches that are never taken while no frame ends.
inline bool frames_have_ended(CallSite site) {
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(site.stack) >= t_frame.limit, 0)) return true;
  return __builtin_expect(*t_frame.return_slot != t_frame.return_address, 0);
}

// Ends the frames that the thread has left. Call this with every event of a thread, before the event is
// handled.
inline void notice_ended_frames(CallSite site) {
  if (frames_have_ended(site)) leave_ended_frames(site);
}

// ---- for the rest of this folder ----

struct ShadowStack;

// Watches for the end of the innermost frame from now on.
void watch_innermost(const ShadowStack& shadow);

// Ends the frames that the thread has left, as far as that shows at this site.
void settle_frames(ShadowStack& shadow, CallSite site);

}  // namespace memo::guest
