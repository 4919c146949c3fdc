#include "preload/learn/learn.h"

#include "preload/boundaries/boundary.h"
#include "preload/log/log.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/profile/recorder.h"
#include "preload/serve/serve.h"
#include "runtime/serving.h"
#include "runtime/statistics.h"

namespace memo::guest {
namespace {

constexpr std::uint32_t kCallsBetweenLooks = 1024;

bool g_serving = false;
thread_local constinit std::uint32_t t_calls __attribute__((tls_model("initial-exec"))) = 0;

bool learning() {
  return !__atomic_load_n(&g_serving, __ATOMIC_ACQUIRE);
}

[[gnu::cold, gnu::noinline]] void begin_serving() {
  if (__atomic_exchange_n(&g_serving, true, __ATOMIC_ACQ_REL)) return;
  stop_recording(nullptr);
  runtime::set_state("serving");
  log_note("auto: serving from ", option_text(GuestOptionId::kPlan));
}

// Costs a clock reading, and twice a second a look at the path.
[[gnu::cold, gnu::noinline]] void look_for_plan() {
  const KeptErrno kept;
  runtime::look_after_plans();
  if (runtime::g_plan.load(std::memory_order_acquire) != nullptr) begin_serving();
}

// ---- passes ----

const BoundarySink& sink_in_use() {
  return learning() ? kRecorderSink : kServeSink;
}

void pass_begins(const BoundaryName& name, std::uint64_t key, std::uintptr_t stack) {
  if (learning()) look_for_plan();
  sink_in_use().pass_begin(name, key, stack);
}

// The recorder may have begun it.
void pass_ends(PassEnd how) {
  kRecorderSink.pass_end(how);
  if (!learning()) kServeSink.pass_end(how);
}

void scope_begins(const BoundaryName& name) {
  sink_in_use().scope_begin(name);
}

void scope_ends(const BoundaryName& name) {
  sink_in_use().scope_end(name);
}

void objects_loaded() {
  if (!learning()) kServeSink.objects_loaded();
}

constexpr BoundarySink kSink{pass_begins, pass_ends, scope_begins, scope_ends, objects_loaded};

// ---- the backend ----

const Backend& backend_in_use() {
  return learning() ? kProfileBackend : kServeBackend;
}

// The slab's range comes first: it is what is watched again when the recording stops.
bool start() {
  if (!kServeBackend.start() || !kProfileBackend.start()) return false;
  record_all_until_marked();
  set_boundary_sink(&kSink);
  runtime::set_state("learning");
  log_note("auto: learning until there is a plan at ", option_text(GuestOptionId::kPlan));
  return true;
}

void loaded() {
  kServeBackend.loaded();
  t_route = Route::kRecorded;
  if (runtime::g_plan.load(std::memory_order_acquire) != nullptr) begin_serving();
}

Route find_first_route() {
  return learning() ? kProfileBackend.first_route : kServeBackend.find_first_route();
}

// A thread that was inside the recorder when it stopped was sent to the plain heap by it.
void leave_recorded_route() {
  if (t_route == Route::kRecorded || t_route == Route::kPlainHeap) t_route = kServeBackend.find_first_route();
}

template <typename Call>
void* record(const Call& call) {
  void* block = call(kProfileBackend);
  if (!learning()) leave_recorded_route();
  return block;
}

void* allocate(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site) {
  if (learning() && ++t_calls % kCallsBetweenLooks == 0) look_for_plan();
  if (learning()) {
    return record([&](const Backend& recorder) { return recorder.allocate(size, alignment, kind, site); });
  }
  leave_recorded_route();
  return kServeBackend.allocate(size, alignment, kind, site);
}

void* reallocate(void* old, std::size_t size, CallSite site) {
  if (learning())
    return record([&](const Backend& recorder) { return recorder.reallocate(old, size, site); });
  leave_recorded_route();
  return kServeBackend.reallocate(old, size, site);
}

void release(void* pointer, CallSite site) {
  backend_in_use().release(pointer, site);
}

std::size_t usable_size(const void* pointer) {
  return backend_in_use().usable_size(pointer);
}

bool identify(const void* inside, memo_allocation* out) {
  return learning() && kProfileBackend.identify(inside, out);
}

// The recorder's handlers around a fork have nothing to hold.
void before_fork() {
  kServeBackend.before_fork();
}

void after_fork_in_parent() {
  kServeBackend.after_fork_in_parent();
}

void after_fork_in_child() {
  kProfileBackend.after_fork_in_child();
  kServeBackend.after_fork_in_child();
}

void finish() {
  kProfileBackend.finish();
  kServeBackend.finish();
}

}  // namespace

constexpr Backend kAutoBackend{
    .find_first_route = find_first_route,
    .start = start,
    .loaded = loaded,
    .allocate = allocate,
    .reallocate = reallocate,
    .release = release,
    .usable_size = usable_size,
    .before_fork = before_fork,
    .after_fork_in_parent = after_fork_in_parent,
    .after_fork_in_child = after_fork_in_child,
    .identify = identify,
    .finish = finish,
};

}  // namespace memo::guest
