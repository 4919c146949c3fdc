#include "preload/start.h"

#include "preload/backend.h"
#include "preload/boundaries/hooks.h"
#include "preload/heap/heap.h"
#include "preload/keep_out.h"
#include "preload/log/log.h"
#include "preload/options/options.h"
#include "preload/platform/platform.h"
#include "preload/profile/recorder.h"

namespace memo::guest {

constexpr Backend kOffBackend{.first_route = Route::kPlainHeap};

namespace {

enum class Progress : int { kNotStarted, kStarting, kReady };

Progress g_progress = Progress::kNotStarted;
const Backend* g_backend = &kOffBackend;

struct ModeBackend {
  Mode mode;
  const char* name;
  const Backend* backend;
};

// A mode is plugged in by its row.
constexpr ModeBackend kModes[] = {
    {Mode::kOff, "off", &kOffBackend},
    {Mode::kProfile, "profile", &kProfileBackend},
};

const ModeBackend& asked_for() {
  for (const ModeBackend& row : kModes) {
    if (row.mode == option_mode()) return row;
  }
  log_trouble("this build has no mode \"", option_text(GuestOptionId::kMode), "\"; running in mode off");
  return kModes[0];
}

const ModeBackend& kept_backend() {
  const ModeBackend& asked = asked_for();
  const char* reason = reason_to_keep_out();
  if (reason != nullptr) {
    log_trouble("keeping out of ", platform::program_path(), ": ", reason);
    return kModes[0];
  }
  return asked.backend->start == nullptr || asked.backend->start() ? asked : kModes[0];
}

void register_fork_handlers(const Backend& chosen) {
  if (chosen.before_fork == nullptr) return;
  platform::on_fork(chosen.before_fork, chosen.after_fork_in_parent, chosen.after_fork_in_child);
}

// jemalloc first, our fork handlers second, "ready" last.
void start_process() {
  heap::start();
  read_options();
  const ModeBackend& chosen = kept_backend();
  register_fork_handlers(*chosen.backend);
  g_backend = chosen.backend;
  log_note("mode ", chosen.name, " in ", platform::program_path());
}

bool claim_start() {
  Progress expected = Progress::kNotStarted;
  return __atomic_compare_exchange_n(&g_progress, &expected, Progress::kStarting, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

// A second thread cannot come this early by pthread_create, which allocates first; a raw clone() could.
void wait_until_ready() {
  while (__atomic_load_n(&g_progress, __ATOMIC_ACQUIRE) != Progress::kReady) platform::yield_processor();
}

}  // namespace

const Backend& backend() {
  return *g_backend;
}

bool settle_thread() {
  if (t_route == Route::kStarting) return false;
  if (claim_start()) {
    t_route = Route::kStarting;
    start_process();
    __atomic_store_n(&g_progress, Progress::kReady, __ATOMIC_RELEASE);
  } else {
    wait_until_ready();
  }
  t_route = g_backend->first_route;
  return true;
}

namespace {

[[gnu::constructor]] void library_loaded() {
  if (t_route == Route::kUnknown) settle_thread();
  hook_new_objects();
}

[[gnu::destructor]] void library_ends() {
  if (g_backend->finish != nullptr) g_backend->finish();
}

}  // namespace
}  // namespace memo::guest
