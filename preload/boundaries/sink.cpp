// No code here touches a vector register, or calls code that might, except through keeping_vectors()
// (kept_vectors.h).
#include "preload/boundaries/sink.h"

#include "preload/boundaries/kept_vectors.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/spare_stack.h"

namespace memo::guest {
namespace {

const BoundarySink* g_sink;
void (*g_after_loading)();

// Returns true if the arena follows the scopes of the running pass. A plan with anchors ignores scopes.
bool arena_follows() {
  return t_route == Route::kInPass && !runtime::anchors_open_passes();
}

void tell_sink(const BoundaryName* ended, const BoundaryName* begun) {
  if (ended != nullptr) g_sink->scope_end(*ended);
  if (begun != nullptr) g_sink->scope_begin(*begun);
}

void look_at_what_was_loaded() {
  runtime::on_spare_stack(g_after_loading);
}

}  // namespace

void set_boundary_sink(const BoundarySink* sink) {
  g_sink = sink;
}

void call_after_loading(void (*function)()) {
  g_after_loading = function;
}

bool has_sink() {
  return g_sink != nullptr;
}

void tell_scopes(const BoundaryName* ended, const BoundaryName* begun) {
  if (!arena_follows()) {
    if (g_sink->scope_begin != nullptr) keeping_vectors(tell_sink, ended, begun);
  } else if (begun == nullptr) {
    runtime::scope_end();
  } else {
    ended != nullptr ? runtime::scope_follows(begun->hash) : runtime::scope_begin(begun->hash);
  }
}

void tell_pass_begin(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack,
                     std::uintptr_t object) {
  keeping_vectors(g_sink->pass_begin, name, key, stack, object);
}

void tell_pass_end(PassEnd how) {
  keeping_vectors(g_sink->pass_end, how);
}

void tell_objects_loaded() {
  if (g_after_loading != nullptr) keeping_vectors(look_at_what_was_loaded);
  if (g_sink->objects_loaded != nullptr) keeping_vectors(g_sink->objects_loaded);
}

}  // namespace memo::guest
