#include "runtime/serving/copies.h"

#include <cerrno>

#include "runtime/serving/forks.h"
#include "runtime/serving/live_page.h"
#include "runtime/serving/look_ups.h"
#include "runtime/serving/pass_memory.h"
#include "runtime/serving/turns.h"
#include "runtime/slab/lane.h"
#include "runtime/slab/running_passes.h"
#include "runtime/slab/skipping.h"
#include "runtime/slab/thread_state.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {
namespace {

constexpr std::uint32_t kNotSettled = 0;  // the state after the kernel has emptied the page
constexpr std::uint32_t kSettling = 1;
constexpr std::uint32_t kSettled = 2;

constinit CopyHooks g_hooks{};
constinit std::atomic<bool> g_forked{false};
constinit std::atomic<std::uint32_t> g_inherited_passes{0};  // passes that ran when the copy was made
constinit std::atomic<std::uint32_t> g_forks{
    0};  // generations that fork() has begun, of this process and those before it

bool is_first_generation(std::uint32_t generation) {
  return generation == 1;
}

void begin_as_copy() {
  g_inherited_passes.store(g_running_passes.count(), std::memory_order_relaxed);
  g_forked.store(true, std::memory_order_relaxed);
  g_turns.begin_anew();
  leave_live_page();
  compare_anew_in_copy();
  forget_skipped_passes();
  forget_most_of_a_pass();
  forget_look_ups();
  if (g_hooks.settle != nullptr) g_hooks.settle();
}

// Settles this process. Returns true once it is settled. Never waits for another thread that settles: the
// caller may be a signal handler that interrupted that very thread.
bool settle(ProcessPage& page) {
  std::uint32_t state = kNotSettled;
  if (is_first_generation(this_generation())) {
    page.settling.store(state = kSettled, std::memory_order_release);
  } else if (page.settling.compare_exchange_strong(state, kSettling, std::memory_order_acq_rel)) {
    begin_as_copy();
    page.settling.store(state = kSettled, std::memory_order_release);
  }
  return state == kSettled;
}

// Returns true if the calling thread is the one that was copied: it has a name of before, or it is the first
// thread of the copy and may never have had one.
bool is_survivor(ThreadName before) {
  return before != 0 || is_first_thread();
}

// Lets the thread that was copied keep its lanes, its turn and its pass. The passes of all others are forgotten: those threads
// do not exist in the copy.
void keep_own_of_survivor(ThreadState& self, ThreadName before) {
  keep_own_lanes(self.lane, before, self.thread);
  const std::uint32_t own = self.is_running ? 1 : 0;
  if (self.has_turn) g_turns.take_along();
  const std::uint32_t inherited = g_inherited_passes.load(std::memory_order_relaxed);
  if (inherited > own) g_running_passes.forget(inherited - own);
  if (g_hooks.survive != nullptr) g_hooks.survive();
}

[[gnu::cold, gnu::noinline]] bool settle_process() {
  const int error = errno;
  const bool settled = settle(process_page());
  errno = error;
  return settled;
}

}  // namespace

[[gnu::cold, gnu::noinline]] ThreadName settle_thread() {
  const int error = errno;
  ThreadState& self = t_self;
  ProcessPage& page = process_page();
  const bool settled = settle(page);
  const ThreadName name = ask_for_name();
  if (settled && number_of(name) != 0) {
    const ThreadName before = self.thread;
    self.thread = name;
    const bool came_late = is_first_generation(generation_of(name)) || !is_survivor(before);
    if (!came_late && !page.survivor_came.load(std::memory_order_relaxed)) {
      keep_own_of_survivor(self, before);
      page.survivor_came.store(true, std::memory_order_release);
    }
  }
  errno = error;
  return name;
}

void set_copy_hooks(const CopyHooks& hooks) {
  g_hooks = hooks;
  current_thread();
}

bool is_settled_here() {
  const ProcessPage* page = g_process_page.load(std::memory_order_acquire);
  if (page != nullptr && page->settling.load(std::memory_order_acquire) == kSettled) [[likely]]
    return true;
  return settle_process();
}

void after_fork_in_child() {
  begin_generation_by_hand();
  g_forks.fetch_add(1, std::memory_order_relaxed);
  current_thread();
  let_go_after_fork();
}

bool may_start_threads() {
  return this_generation() == 1 + g_forks.load(std::memory_order_relaxed);
}

bool is_forked_child() {
  return g_forked.load(std::memory_order_relaxed);
}

}  // namespace memo::runtime
