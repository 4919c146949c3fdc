// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/marks.h"

#include "preload/boundaries/ended_frames.h"
#include "preload/boundaries/frames.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/boundaries/sink.h"
#include "runtime/slab/skipping.h"
#include "runtime/slab/thread_state.h"

namespace memo::guest {
namespace {

Frame marked_frame(FrameKind kind, const BoundaryName* name) {
  return {kNever, nullptr, nullptr, name, kind, t_route, true};
}

// Returns true if the pass that begins here is part of the running one: it begins deeper in the stack, or
// further on in the same function. A begin further out, or the same begin again, means that the program left
// the running pass without an end, by an exception or a longjmp.
bool joins_running_pass(const ShadowStack& shadow, CallSite site) {
  if (!shadow.in_pass) return false;
  if (site.stack == shadow.pass_begin.stack) return site.address != shadow.pass_begin.address;
  return stack_of(site) < stack_of(shadow.pass_begin);
}

void leave_running_pass(ShadowStack& shadow) {
  while (shadow.in_pass) pop_frame(shadow, PassEnd::kLeft);
}

void pop_marked(ShadowStack& shadow, FrameKind kind) {
  std::uint32_t found = shadow.depth;
  while (found > 0 && !(shadow.frames[found - 1].marked && shadow.frames[found - 1].kind == kind)) --found;
  if (found == 0) return;
  while (shadow.depth >= found) pop_frame(shadow);
}

}  // namespace

bool skip_marked_pass(std::uint64_t key, CallSite site) {
  return runtime::skip_pass(key, stack_of(site), site.address);
}

// A pass that was skipped is not begun, so that its thread is in none.
bool stands_aside_for(std::uint64_t key) {
  const runtime::ThreadState& self = runtime::t_self;
  if (self.depth != 0) return self.lane == nullptr && self.why == runtime::Reason::kGaveUp;
  if (runtime::t_skipped.depth == 0) return false;
  return runtime::skip_of(key).why.load(std::memory_order_relaxed) == runtime::Reason::kGaveUp;
}

void enter_marked_pass(const BoundaryName& name, std::uint64_t key, CallSite site) {
  ShadowStack* shadow = own_shadow();
  if (!has_sink() || shadow == nullptr) return;
  settle_frames(*shadow, site);
  if (joins_running_pass(*shadow, site)) {
    ++shadow->nested_marks;
    return;
  }
  leave_running_pass(*shadow);
  if (!shadow->has_room()) return;
  begin_pass(*shadow, marked_frame(FrameKind::kPass, &name), site, key, 0);
}

void leave_marked_pass(CallSite site) {
  if (runtime::end_skipped_pass() || t_shadow == nullptr) return;
  settle_frames(*t_shadow, site);
  if (t_shadow->nested_marks > 0) {
    --t_shadow->nested_marks;
    return;
  }
  pop_marked(*t_shadow, FrameKind::kPass);
}

void enter_marked_scope(const BoundaryName& name, CallSite site) {
  ShadowStack* shadow = own_shadow();
  if (!has_sink() || shadow == nullptr) return;
  settle_frames(*shadow, site);
  if (!shadow->in_pass || !shadow->has_room()) return;
  begin_scope(*shadow, marked_frame(FrameKind::kScope, &name));
}

void leave_marked_scope(CallSite site) {
  if (t_shadow == nullptr) return;
  settle_frames(*t_shadow, site);
  pop_marked(*t_shadow, FrameKind::kScope);
}

}  // namespace memo::guest
