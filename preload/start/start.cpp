#include <cstddef>
#include <cstring>

#include "preload/dispatch/backend.h"
#include "preload/heap/heap.h"
#include "preload/hooks/hooks.h"
#include "preload/log/log.h"
#include "preload/modes/auto/learn.h"
#include "preload/modes/pass_through/pass_through.h"
#include "preload/modes/profile/recorder.h"
#include "preload/modes/serve/serve.h"
#include "preload/options/options.h"
#include "preload/platform/platform.h"
#include "preload/start/incompatible.h"
#include "preload/start/preload_order.h"
#include "runtime/serving/copies.h"

namespace memo::guest {

constexpr Backend kOffBackend{.first_route = Route::kPlainHeap};

namespace {

// Returns the path of the object whose malloc the program calls instead of this library's, or null. Calls that
// malloc once: one that hands its calls on, as a tracer does, leads here, and then this library has started
// when the function returns. Not for a program that defines malloc itself, whose own malloc is left alone.
const char* allocator_in_front() {
  const char* path = platform::first_object_that_defines("malloc");
  const bool is_the_programs = path == nullptr || *path == '\0';
  if (is_the_programs || std::strcmp(path, platform::own_path()) == 0) return nullptr;
  const auto its_malloc = reinterpret_cast<void* (*)(std::size_t)>(platform::first_symbol("malloc"));
  const auto its_free = reinterpret_cast<void (*)(void*)>(platform::first_symbol("free"));
  its_free(its_malloc(1));
  return path;
}

// Integers and no enumeration: not every compiler accepts enumerations in the __atomic built-ins.
using Progress = int;
constexpr Progress kNotStarted = 0;
constexpr Progress kStarting = 1;
constexpr Progress kReady = 2;

Progress g_progress = kNotStarted;
const char* g_in_front = nullptr;  // the path of an allocator that takes every call, or null
const Backend* g_backend = &kOffBackend;

struct ModeBackend {
  Mode mode;
  const char* name;
  const Backend* backend;
};

// The modes. To add a mode, add its row.
constexpr ModeBackend kModes[] = {
    {Mode::kOff, "off", &kOffBackend},
    {Mode::kProfile, "profile", &kProfileBackend},
    {Mode::kServe, "serve", &kServeBackend},
    {Mode::kAuto, "auto", &kAutoBackend},
};

constexpr ModeBackend kPassThrough{Mode::kOff, "off, passing through", &kPassThroughBackend};

const ModeBackend& asked_for() {
  for (const ModeBackend& row : kModes) {
    if (row.mode == option_mode()) return row;
  }
  log_trouble("this build has no mode \"", option_text(GuestOptionId::kMode), "\"; running in mode off");
  return kModes[0];
}

bool starts(const ModeBackend& mode) {
  return mode.backend->start == nullptr || mode.backend->start();
}

// Nothing comes to the library that it could record or serve, so it neither hooks nor waits for passes. Programs that
// this one starts get the library first. A process tree hears of it once: shells start hundreds.
const ModeBackend* kept_out_by_front() {
  const bool is_said = platform::parent_started_with_same("LD_PRELOAD");
  const char* others = put_library_first() ? ". Programs that it starts get this library first" : "";
  if (!is_said)
    log_trouble("keeping out of ", platform::program_path(), ": ", g_in_front,
                " stands before this library and takes every malloc; put ", platform::own_path(),
                " first in LD_PRELOAD", others);
  return &kModes[0];
}

// Returns the backend for a program that the library keeps out of, or null. Runs before jemalloc starts: a
// sanitizer may be in the middle of its own start, and jemalloc's calls of the C library would reach
// interceptors that are not ready.
const ModeBackend* kept_out() {
  const KeepOut found = look_for_reason_to_keep_out();
  if (found.reason == nullptr) return g_in_front != nullptr ? kept_out_by_front() : nullptr;
  log_trouble("keeping out of ", platform::program_path(), ": ", found.reason);
  return found.pass_through && starts(kPassThrough) ? &kPassThrough : &kModes[0];
}

// Starts jemalloc first and registers the mode's fork handlers second.
const ModeBackend& start_mode() {
  const ModeBackend& asked = asked_for();
  if (asked.backend->before_heap != nullptr) asked.backend->before_heap();
  heap::suit_address_space();
  heap::start();
  const ModeBackend& chosen = starts(asked) ? asked : kModes[0];
  const Backend& its = *chosen.backend;
  if (its.before_fork != nullptr) {
    runtime::set_copy_hooks({its.begin_as_copy, its.keep_own_in_copy});
    platform::on_fork(its.before_fork, its.after_fork_in_parent, runtime::after_fork_in_child);
  }
  return chosen;
}

void start_process() {
  read_options();
  const ModeBackend* kept = kept_out();
  const ModeBackend& chosen = kept != nullptr ? *kept : start_mode();
  g_backend = chosen.backend;
  if (g_backend == &kOffBackend) let_heap_alone_answer_if_nothing_is_watched();
  log_note("mode ", chosen.name, " in ", platform::program_path());
}

bool claim_start() {
  Progress expected = kNotStarted;
  return __atomic_compare_exchange_n(&g_progress, &expected, kStarting, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

// Waits for the thread that starts the process. A thread from pthread_create never comes this early, since
// pthread_create allocates first; a thread from a raw clone() could.
void wait_until_ready() {
  while (__atomic_load_n(&g_progress, __ATOMIC_ACQUIRE) != kReady) platform::yield_processor();
}

}  // namespace

const Backend& backend() {
  return *g_backend;
}

namespace {

Route first_route(const Backend& its) {
  return its.find_first_route != nullptr ? its.find_first_route() : its.first_route;
}

}  // namespace

bool settle_thread() {
  if (t_route == Route::kStarting) return false;
  if (claim_start()) {
    t_route = Route::kStarting;
    start_process();
    __atomic_store_n(&g_progress, kReady, __ATOMIC_RELEASE);
  } else {
    wait_until_ready();
  }
  t_route = first_route(*g_backend);
  return true;
}

namespace {

// Starts the process where no call has come here yet. An allocator in front is looked for here only: the loader
// itself allocates before any constructor runs, so a library that is first has started by now.
void start_uncalled() {
  g_in_front = allocator_in_front();
  if (t_route == Route::kUnknown) settle_thread();
}

[[gnu::constructor]] void library_loaded() {
  if (t_route == Route::kUnknown) start_uncalled();
  hook_new_objects();
  if (g_backend->loaded != nullptr) g_backend->loaded();
}

[[gnu::destructor]] void library_ends() {
  if (g_backend->finish != nullptr) g_backend->finish();
}

}  // namespace
}  // namespace memo::guest
