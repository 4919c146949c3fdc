// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/frames.h"

#include "preload/boundaries/ended_frames.h"
#include "preload/boundaries/sink.h"
#include "runtime/slab/thread_state.h"

namespace memo::guest {
namespace {

void push(ShadowStack& shadow, const Frame& frame) {
  shadow.frames[shadow.depth++] = frame;
  watch_innermost(shadow);
}

[[gnu::cold, gnu::noinline]] void end_pass(ShadowStack& shadow, PassEnd how) {
  shadow.in_pass = false;
  shadow.nested_marks = 0;
  tell_pass_end(how);
  runtime::t_self.ignores_operators = true;
}

[[gnu::cold, gnu::noinline]] void end_loading(Route before) {
  if (t_route == Route::kLoading) t_route = before;
  tell_objects_loaded();
}

}  // namespace

void begin_scope(ShadowStack& shadow, const Frame& frame) {
  push(shadow, frame);
  tell_scopes(nullptr, frame.name);
}

// Lets operators be told, unless who hears of the pass has them ignored.
void begin_pass(ShadowStack& shadow, const Frame& frame, CallSite site, std::uint64_t key,
                std::uintptr_t object) {
  shadow.in_pass = true;
  shadow.pass_begin = site;
  push(shadow, frame);
  runtime::t_self.ignores_operators = false;
  tell_pass_begin(*frame.name, key, stack_of(site), object);
}

void begin_loading(ShadowStack& shadow, const Frame& frame) {
  push(shadow, frame);
  if (t_route == Route::kPlainHeap) t_route = Route::kLoading;
}

// The frame keeps its contents until the next push, and no code below pushes before it has read them.
void pop_frame(ShadowStack& shadow, PassEnd how) {
  const Frame& frame = shadow.frames[--shadow.depth];
  watch_innermost(shadow);
  if (frame.kind == FrameKind::kScope) return tell_scopes(frame.name, nullptr);
  if (frame.kind == FrameKind::kPass) return end_pass(shadow, how);
  end_loading(frame.route);
}

}  // namespace memo::guest
