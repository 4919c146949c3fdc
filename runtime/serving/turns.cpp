#include "runtime/serving/turns.h"

#include "runtime/formats/hash.h"
#include "runtime/platform/backoff.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/sleepers.h"
#include "runtime/platform/ticks.h"
#include "runtime/serving/statistics.h"

namespace memo::runtime {

constinit Turns g_turns;

namespace {

// A pass that waits looks whether the processors have work. It looks soon, for who asks a server, but not sooner than the kernel gives
// a processor to each of a few threads that want it; then after waits that double.
constexpr Backoff<std::int64_t> kLooks{.first = kSecond / 50, .longest = kSecond / 10};
constexpr std::int64_t kFirstSearch = kSecond / 500;  // for threads that have ended
constexpr std::int64_t kLossOf = 128;

// Returns how much may be lost before the share of the time comes to anything.
constexpr std::int64_t loss_at_start(TurnsFor whom) {
  return whom == TurnsFor::kUser ? kSecond / 2 : kSecond / 10;
}

// Returns for how long a pass waits while no turn comes back. It may hold a lock that the passes that run want, while other threads keep
// the processors busy; or those run so long that who waits for an answer would notice.
constexpr std::int64_t longest_without_an_end(TurnsFor whom) {
  return whom == TurnsFor::kUser ? 10 * kSecond : kSecond;
}

struct Look {
  std::int64_t at = nanoseconds_now();
  std::int64_t worked = nanoseconds_worked();
  std::int64_t driven_out = times_driven_out();
};

// Returns true if the process kept less than half a processor busy between the two, and not since others, or the quota of a container,
// kept the processors from it. The last look is the dear one, and rarely comes.
bool was_idle(const Look& before, const Look& after) {
  return after.worked - before.worked < (after.at - before.at) / 2 && after.driven_out == before.driven_out &&
         !another_thread_would_run();
}

// Names whom to wake: threads 32 passes apart share a bit, and the one that is woken too early sleeps again.
std::uint32_t bit_of(std::uint32_t number) {
  return std::uint32_t{1} << number % 32;
}

// Says it as a notice once, and only to who asked for turns.
void say_that_nobody_waits(TurnsFor whom) {
  static constinit std::atomic<bool> said{false};
  if (said.exchange(true, std::memory_order_relaxed)) return;
  constexpr const char* kLine =
      "turns cost more than a 128th of the time, since passes waited while the processors were idle, or are as short as a wait: for now "
      "they run without turns, and hold more memory%s";
  whom == TurnsFor::kUser ? notice(kLine, "; a greater --at-once, or 0, spares the waiting")
                          : note(kLine, "");
}

}  // namespace

void Turns::let_run(std::uint32_t most, TurnsFor whom) {
  whom_ = whom;
  trial_.begin(most);
  since_.store(nanoseconds_now(), std::memory_order_relaxed);
  most_.store(most, std::memory_order_relaxed);
}

bool Turns::take_one(void (*give_of_ended_threads)()) {
  if (too_much_was_lost()) return false;
  const std::uint32_t number = begun_.fetch_add(1, std::memory_order_relaxed);
  if (!may_run(number)) wait_for(number, give_of_ended_threads);
  return true;
}

// Compares as signed: a pass that went on in vain may run while later ones come and go.
bool Turns::may_run(std::uint32_t number) const {
  const std::uint32_t before = number - ended_.load(std::memory_order_seq_cst);
  return static_cast<std::int32_t>(before - most_.load(std::memory_order_relaxed)) < 0;
}

// The count of those that wait comes before the look at the turns, and in give() the turn before the look at that count: so one of
// the two sees the other.
void Turns::wait_for(std::uint32_t number, void (*give_of_ended_threads)()) {
  const std::uint64_t worked = nanoseconds_worked_by_thread();
  add(statistics().turns_waited, 1);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  const std::int64_t lost = wait_until_may_run_or_idle(number, give_of_ended_threads);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  if (lost != 0) add(statistics().turns_in_vain, 1);
  note_loss(lost + static_cast<std::int64_t>(nanoseconds_worked_by_thread() - worked));
}

// Returns 0 once the pass may run, or else for how many nanoseconds it waited in vain.
std::int64_t Turns::wait_until_may_run_or_idle(std::uint32_t number, void (*give_of_ended_threads)()) {
  const std::int64_t longest = longest_without_an_end(whom_);
  Look last;
  std::int64_t last_end = last.at;
  std::uint32_t ended_then = ended_.load(std::memory_order_seq_cst);
  for (std::int64_t wait = kFirstSearch;;) {
    const std::uint32_t ended = ended_.load(std::memory_order_seq_cst);
    if (may_run(number)) return 0;
    sleep_while(ended_, ended, bit_of(number), last.at + wait);
    const Look now;
    if (ended != ended_then) last_end = now.at;
    ended_then = ended;
    if (now.at - last_end >= longest) return longest;
    if (now.at - last.at < wait) continue;
    if (wait >= kLooks.first && was_idle(last, now)) return wait;
    give_of_ended_threads();
    last = now;
    wait = kLooks.after(wait);
  }
}

void Turns::note_loss(std::int64_t lost) {
  lost_.fetch_add(lost, std::memory_order_relaxed);
  if (too_much_was_lost()) say_that_nobody_waits(whom_);
}

bool Turns::too_much_was_lost() const {
  const std::int64_t lost = lost_.load(std::memory_order_relaxed) - loss_at_start(whom_);
  return lost > 0 && lost > (coarse_nanoseconds_now() - since_.load(std::memory_order_relaxed)) / kLossOf;
}

// Wakes all where more may run from now on. Costs a look at the clock.
void Turns::try_more(std::uint32_t ended) {
  const HeldFlag trying(trying_);
  if (!trying.is_mine()) return;
  const std::uint32_t before = most_.load(std::memory_order_relaxed);
  const std::uint32_t most =
      trial_.limit_after({.now = nanoseconds_now(),
                          .ended = ended,
                          .waited = statistics().turns_waited.load(std::memory_order_relaxed)},
                         scrambled(ticks_now()));
  most_.store(most, std::memory_order_relaxed);
  if (most > before) wake_sleepers(ended_, ~std::uint32_t{0});
}

void Turns::give() {
  const std::uint32_t ended = ended_.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (whom_ == TurnsFor::kAnyone) try_more(ended);
  if (waiting_.load(std::memory_order_seq_cst) == 0) return;
  const std::uint32_t next = ended + most_.load(std::memory_order_relaxed) - 1;
  wake_sleepers(ended_, bit_of(next));
}

void Turns::begin_anew() {
  begun_.store(0, std::memory_order_relaxed);
  ended_.store(0, std::memory_order_relaxed);
  waiting_.store(0, std::memory_order_relaxed);
  trying_.give_up_in_copy();
  trial_.forget_pair();
}

}  // namespace memo::runtime
