// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/hooked_frames.h"

#include <atomic>

#include "preload/boundaries/ended_frames.h"
#include "preload/boundaries/frames.h"
#include "preload/boundaries/return_address.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/boundaries/sink.h"
#include "runtime/slab/skipping.h"
#include "runtime/slab/thread_state.h"

namespace memo::guest {
namespace {

// Ends the frames that the thread has left before it enters a function. A function that is entered again at
// the same place is called by a loop; it has not jumped to itself, so its earlier frame has ended.
void settle_for_entry(ShadowStack& shadow, const BoundaryName* name, CallSite site) {
  settle_frames(shadow, site);
  std::uint32_t again = shadow.depth;
  while (again > 0 && shadow.frames[again - 1].stack == stack_of(site)) {
    if (!shadow.frames[--again].marked && shadow.frames[again].name == name) {
      while (shadow.depth > again) pop_frame(shadow);
      return;
    }
  }
}

bool is_hooked_scope(const Frame& frame) {
  return frame.kind == FrameKind::kScope && !frame.marked;
}

bool is_in_hooked_scope(const ShadowStack& shadow) {
  for (std::uint32_t at = shadow.depth; at > 0; --at) {
    if (is_hooked_scope(shadow.frames[at - 1])) return true;
  }
  return false;
}

[[gnu::noinline]] void enter_any_frame(FrameKind kind, const BoundaryName* name, CallSite site,
                                       std::uintptr_t object = 0) {
  ShadowStack* shadow = own_shadow();
  if (!has_sink() || shadow == nullptr || !shadow->owns(stack_of(site))) return;
  settle_for_entry(*shadow, name, site);
  if (!shadow->has_room()) return;
  Frame frame{stack_of(site), site.address, nullptr, name, kind, t_route, false};
  frame.kept_return = return_at_entry(frame);
  if (kind == FrameKind::kLoading) return begin_loading(*shadow, frame);
  if (kind == FrameKind::kPass && runtime::is_inside_skipped(stack_of(site), site.address)) return;
  if (kind == FrameKind::kPass && !shadow->in_pass) return begin_pass(*shadow, frame, site, 0, object);
  if (kind == FrameKind::kPass || (kind == FrameKind::kOuterScope && is_in_hooked_scope(*shadow))) return;
  frame.kind = FrameKind::kScope;
  if (shadow->in_pass) return begin_scope(*shadow, frame);
  runtime::t_self.ignores_operators = true;
}

// ---- the fast path: an operator in a pass that follows its neighbour, or is the first inside another ----

bool is_in_pass(const ShadowStack* shadow, CallSite site) {
  return shadow != nullptr && shadow->in_pass && shadow->owns(stack_of(site));
}

// Returns true if the thread is inside the frame's function: deeper in the stack than the caller of that
// function, with the return address in place.
bool is_around(const ShadowStack& shadow, const Frame& frame, CallSite site) {
  return stack_of(site) < frame.stack && return_is_in_place(shadow, frame);
}

// Returns is_around() for the innermost hooked frame below `end`, or true where there is none.
bool are_around(const ShadowStack& shadow, const Frame* end, CallSite site) {
  while (end != shadow.frames) {
    const Frame& frame = *--end;
    if (!frame.marked) return is_around(shadow, frame, site);
  }
  return true;
}

// Returns true if the frame's function may have ended with a jump to the function that is entered here.
bool may_go_on(const Frame& frame, const BoundaryName* name, CallSite site) {
  return stack_of(site) == frame.stack && site.address == frame.return_address && name != frame.name;
}

// Returns where the operator's frame belongs: after the existing frames, if the thread is inside all of them,
// or in the place of the last one, if that has ended. Returns null in all other cases, which enter_any_frame
// handles.
Frame* place_of_scope(ShadowStack& shadow, const BoundaryName* name, CallSite site) {
  Frame* place = shadow.frames + shadow.depth;
  const Frame& last = place[-1];
  if (is_hooked_scope(last)) {
    if (is_around(shadow, last, site)) return place;
    if (may_go_on(last, name, site)) return nullptr;
    --place;
  }
  return are_around(shadow, place, site) ? place : nullptr;
}

// Writes the operator's frame to its place. Sets t_frame first, so that a signal handler that allocates in
// between finds the frames around it in place.
void put_scope(Frame& place, const BoundaryName* name, CallSite site) {
  Frame fresh{stack_of(site), site.address, nullptr, name, FrameKind::kScope, t_route, false};
  fresh.kept_return = return_at_entry(fresh);
  t_frame = {fresh.stack, return_slot_of(fresh), fresh.kept_return};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  place = fresh;
}

}  // namespace

// Returns the first argument that is no address on the thread's stack, where results lie. It may be no object at all: then it
// says nothing of the pass, and no code relies on it.
void enter_pass(const BoundaryName* name, CallSite site, std::uintptr_t first, std::uintptr_t second) {
  const ShadowStack* shadow = own_shadow();
  const bool returns_there = shadow != nullptr && shadow->owns(first);
  enter_any_frame(FrameKind::kPass, name, site, returns_there ? second : first);
}

// Does what enter_any_frame does, with a fast path for operators inside a pass. The fast path costs some 80
// instructions, and the arena's work some 50 more.
void enter_frame(FrameKind kind, const BoundaryName* name, CallSite site) {
  ShadowStack* shadow = t_shadow;
  if (kind != FrameKind::kScope || !is_in_pass(shadow, site)) return enter_any_frame(kind, name, site);
  Frame* place = place_of_scope(*shadow, name, site);
  Frame* end = shadow->frames + shadow->depth;
  if (place == nullptr || place == shadow->frames + ShadowStack::kMostFrames)
    return enter_any_frame(kind, name, site);
  if (place == end) {
    put_scope(*place, name, site);
    ++shadow->depth;
    tell_scopes(nullptr, name);
  } else {
    const BoundaryName* ended = place->name;
    put_scope(*place, name, site);
    tell_scopes(ended, name);
  }
}

}  // namespace memo::guest
