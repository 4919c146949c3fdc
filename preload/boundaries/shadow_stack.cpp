// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/shadow_stack.h"

#include "preload/boundaries/thread_slots.h"
#include "preload/platform/platform.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {

thread_local constinit ShadowStack* t_shadow __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

constinit ThreadSlots<ShadowStack> g_shadows;

// Finds the bounds of the thread's own stack. The plain-heap route keeps what that allocates out of the
// recording.
void find_own_stack(ShadowStack& shadow) {
  const Route route = t_route;
  t_route = Route::kPlainHeap;
  const platform::StackBounds bounds = platform::bounds_of_own_stack();
  t_route = route;
  shadow.low = bounds.low;
  shadow.high = bounds.high == 0 ? kNever : bounds.high;
}

}  // namespace

// Puts the shadow stack in place before the bounds are known, as one that owns no stack: finding them locks the thread
// in the C library, whose calls of its own may be hooked, and would come here again and wait for that lock.
[[gnu::cold, gnu::noinline]] ShadowStack* make_shadow() {
  bool inherited = false;
  ShadowStack* shadow = g_shadows.take(inherited);
  if (shadow == nullptr) return nullptr;
  shadow->depth = 0;
  shadow->nested_marks = 0;
  shadow->in_pass = false;
  shadow->low = shadow->high = kNever;
  t_shadow = shadow;
  runtime::on_spare_stack([&] { find_own_stack(*shadow); });
  return shadow;
}

}  // namespace memo::guest
