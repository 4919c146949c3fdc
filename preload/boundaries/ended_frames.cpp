// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/ended_frames.h"

#include "preload/boundaries/frames.h"
#include "preload/boundaries/return_address.h"
#include "preload/boundaries/shadow_stack.h"

namespace memo::guest {
namespace {

constinit const void* const kNowhere = nullptr;

}  // namespace

thread_local constinit InnermostFrame t_frame{kNever, &kNowhere, nullptr};

namespace {

// Returns the number of frames up to the innermost hooked one, or 0. A marked frame ends at the latest with
// the hooked frame around it, so it is enough to watch the hooked one.
std::uint32_t nearest_hooked(const ShadowStack& shadow) {
  std::uint32_t at = shadow.depth;
  while (at > 0 && shadow.frames[at - 1].marked) --at;
  return at;
}

// Returns true if the thread has left the frame's function. At exactly the stack pointer of its caller there
// are two possibilities: the function has returned and its caller goes on, or the function ended with a jump
// to the code that reports now. In the second case the report has the function's own return address, and the
// frame goes on.
bool has_ended(const ShadowStack& shadow, const Frame& frame, CallSite site) {
  const std::uintptr_t stack = stack_of(site);
  if (stack == frame.stack) return site.address != frame.return_address;
  return stack > frame.stack || !return_is_in_place(shadow, frame);
}

}  // namespace

void watch_innermost(const ShadowStack& shadow) {
  const std::uint32_t hooked = nearest_hooked(shadow);
  if (hooked == 0) {
    t_frame = {kNever, &kNowhere, kNowhere};
    return;
  }
  const Frame& frame = shadow.frames[hooked - 1];
  t_frame = {frame.stack, return_slot_of(frame), frame.kept_return};
}

void settle_frames(ShadowStack& shadow, CallSite site) {
  if (!shadow.owns(stack_of(site))) return;
  for (;;) {
    const std::uint32_t hooked = nearest_hooked(shadow);
    if (hooked == 0 || !has_ended(shadow, shadow.frames[hooked - 1], site)) return;
    while (shadow.depth >= hooked) pop_frame(shadow);
  }
}

[[gnu::cold, gnu::noinline]] void leave_ended_frames(CallSite site) {
  if (t_shadow != nullptr) settle_frames(*t_shadow, site);
}

}  // namespace memo::guest
