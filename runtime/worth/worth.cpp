#include "runtime/worth/worth.h"

#include "runtime/formats/hash.h"
#include "runtime/platform/backoff.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/ticks.h"
#include "runtime/platform/try_flag.h"
#include "runtime/worth/experiment.h"
#include "runtime/worth/load.h"

namespace memo::runtime {

// What was found of one kind, and what is being found out. The experiment is the seat's.
struct PassKind {
  std::atomic<std::uint64_t> key;  // pass key plus one; 0: free
  std::atomic<std::uint64_t> passes;
  std::atomic<std::int64_t> settled_until;  // 0: to be compared
  std::atomic<bool> is_aside;
  std::int64_t last_time_aside;
  Experiment experiment;
  Worth found;
  Load load;  // under which that was found
  PassingBy passing_by;
};

namespace {

constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kBetweenLooks = 10 * kMinute;
constexpr Backoff<std::int64_t> kTimesAside{.first = 10 * kMinute, .longest = 240 * kMinute, .factor = 4};
constexpr std::int64_t kLeft =
    kSecond;  // a thread whose next pass is not there by then is waited for no longer

constexpr std::size_t kMostKinds = kMostFoundKinds;  // all kinds beyond share the last one's findings

// The one thread whose passes are compared, and their kind.
struct Seat {
  TryFlag busy;  // a thread looks at it, or at an experiment
  const void* thread;
  PassKind* kind;
  std::int64_t last_seen;
};

constinit PassKind g_kinds[kMostKinds]{};
constinit Seat g_seat{};
constinit LoadWatch g_load;  // follows the thread of the seat, also after that left it
constinit std::atomic<bool> g_compares{false};
constinit std::atomic<std::uint64_t> g_aside_passes{0};
constinit std::atomic<std::uint64_t> g_findings{0};
constinit std::atomic<bool> g_user_plans{false};  // a user plans, and was not told yet

// When the comparing began, by both clocks.
constinit std::uint64_t g_first_tick = 0;
constinit std::int64_t g_first_nanosecond = 0;

void leave_seat() {
  g_seat.thread = nullptr;
  g_seat.kind = nullptr;
}

// Returns true if the passes of this kind that the thread begins are the ones that are compared.
bool is_seated(PassKind& kind, const void* thread, std::int64_t now) {
  const bool is_own = g_seat.thread == thread && g_seat.kind == &kind;
  const bool is_left = g_seat.kind == nullptr || now - g_seat.last_seen > kLeft;
  if (!is_own && !is_left) return false;
  if (!is_own && g_seat.kind != nullptr) g_seat.kind->experiment.drop_pair();
  g_load.follow(thread);
  g_seat.thread = thread;
  g_seat.kind = &kind;
  g_seat.last_seen = now;
  return true;
}

Taken take() {
  return {.thread = nanoseconds_worked_by_thread(),
          .process = static_cast<std::uint64_t>(nanoseconds_worked()),
          .faults_of_thread = page_faults_of_thread(),
          .faults_of_process = page_faults(),
          .passes = g_load.so_far()};
}

Worth worth_of(const Experiment& experiment) {
  const PairedTest& test = experiment.test();
  return {.finding = test.finding(),
          .share = test.share(),
          .low = test.low(),
          .high = test.high(),
          .more_faults = experiment.more_faults(),
          .pairs = test.pairs(),
          .requests_to_look = experiment.requests_to_look(),
          .found_at = 0,
          .found_earlier = 0};
}

// Says it as a notice once, with the cure, and only where a user plans and so can do something about it; as a note otherwise.
void say_standing_aside(const Worth& worth, std::int64_t time) {
  constexpr const char* kLine =
      "a request takes %.1f %% (%.1f to %.1f) more processor time where it is served than on the heap%s: serving stands aside for "
      "it for %lld min%s";
  const char* when = worth.found_earlier != 0 ? ", as an earlier start found" : "";
  const auto minutes = static_cast<long long>(time / kMinute);
  const bool is_news = g_user_plans.exchange(false, std::memory_order_relaxed);
  is_news ? notice(kLine, 100 * worth.share, 100 * worth.low, 100 * worth.high, when, minutes,
                   "; profile and plan what the program does now")
          : note(kLine, 100 * worth.share, 100 * worth.low, 100 * worth.high, when, minutes, "");
}

// Lets what was found of the kind decide on the way of its passes, until they are compared again.
void abide_by_finding(PassKind& kind, std::int64_t now) {
  const bool harms = kind.found.finding == Finding::kHarms;
  kind.last_time_aside = harms ? kTimesAside.after(kind.last_time_aside) : 0;
  const std::int64_t time = harms ? kind.last_time_aside : kBetweenLooks;
  kind.is_aside.store(harms, std::memory_order_relaxed);
  kind.settled_until.store(now + time, std::memory_order_relaxed);
  if (harms) say_standing_aside(kind.found, time);
}

void settle(PassKind& kind, std::int64_t now) {
  kind.found = worth_of(kind.experiment);
  kind.found.found_at = nanoseconds_since_1970() / kSecond;
  kind.load = kind.experiment.load();
  kind.experiment.begin_anew();
  leave_seat();
  abide_by_finding(kind, now);
  g_findings.fetch_add(1, std::memory_order_relaxed);
}

// Mixes the bits of the clock: the lowest of them hang together with how long requests take.
std::uint64_t chance() {
  return scrambled(ticks_now());
}

Way compare(PassKind& kind, const void* thread, std::int64_t now) {
  const HeldFlag seat(g_seat.busy);
  if (!seat.is_mine() || !is_seated(kind, thread, now)) return Way::kSlab;
  const bool serves = kind.experiment.serves_next(take, chance());
  if (!kind.experiment.is_over()) return serves ? Way::kSlab : Way::kHeapToCompare;
  on_spare_stack([&] { settle(kind, now); });
  return kind.is_aside.load(std::memory_order_relaxed) ? Way::kHeap : Way::kSlabFromNowOn;
}

bool is_known(const PassKind& kind) {
  return kind.found.finding != Finding::kNothingYet;
}

bool has_begun(const PassKind& kind) {
  return kind.passes.load(std::memory_order_relaxed) != 0;
}

// What an earlier start found of passes that have not begun here tells less than passes that have.
bool tells_more(const PassKind& kind, const PassKind& other) {
  const bool tells = is_known(kind) && has_begun(kind);
  if (tells != (is_known(other) && has_begun(other))) return tells;
  return kind.passes.load(std::memory_order_relaxed) > other.passes.load(std::memory_order_relaxed);
}

// Has a kind compared again that was compared under another load: the one that tells most, so that there is one such experiment a
// minute at the most.
[[gnu::cold, gnu::noinline]] void look_at_load(const void* thread, std::int64_t now) {
  const HeldFlag seat(g_seat.busy);
  if (!seat.is_mine()) return;
  const Load load = g_load.end_window(thread, now);
  PassKind* changed = nullptr;
  for (PassKind& kind : g_kinds)
    if (has_changed(kind.load, load) && (changed == nullptr || tells_more(kind, *changed))) changed = &kind;
  if (changed != nullptr) changed->settled_until.store(0, std::memory_order_relaxed);
}

}  // namespace

void compare_ways(WhoPlans who_plans) {
  g_user_plans.store(who_plans == WhoPlans::kUser, std::memory_order_relaxed);
  g_first_tick = ticks_now();
  g_first_nanosecond = nanoseconds_now();
  g_compares.store(true, std::memory_order_release);
}

PassKind& kind_of(std::uint64_t pass_key) {
  const std::uint64_t wanted = pass_key + 1 != 0 ? pass_key + 1 : 1;
  for (PassKind& kind : g_kinds) {
    std::uint64_t key = kind.key.load(std::memory_order_relaxed);
    if (key == 0 && kind.key.compare_exchange_strong(key, wanted, std::memory_order_relaxed)) key = wanted;
    if (key == wanted) return kind;
  }
  return g_kinds[kMostKinds - 1];
}

Way way_of(PassKind& kind, const void* thread, bool is_warm) {
  if (!g_compares.load(std::memory_order_acquire)) return Way::kSlab;
  g_load.count(thread);
  const std::int64_t now = coarse_nanoseconds_now();
  if (g_load.is_due(now)) look_at_load(thread, now);
  if (now >= kind.settled_until.load(std::memory_order_relaxed))
    return is_warm ? compare(kind, thread, now) : Way::kSlab;
  if (!kind.is_aside.load(std::memory_order_relaxed)) return Way::kSlab;
  count_aside_passes(1);
  return Way::kHeap;
}

bool stands_aside(const PassKind& kind) {
  return kind.is_aside.load(std::memory_order_relaxed);
}

std::uint64_t count_passes(PassKind& kind, std::uint64_t passes) {
  return kind.passes.fetch_add(passes, std::memory_order_relaxed) + passes;
}

void count_aside_passes(std::uint64_t passes) {
  g_aside_passes.fetch_add(passes, std::memory_order_relaxed);
}

// Takes them from how far both clocks went since the comparing began: as long as that is next to nothing, it says nothing.
std::uint64_t ticks_per_second() {
  if (!g_compares.load(std::memory_order_acquire)) return 0;
  const std::int64_t elapsed = nanoseconds_now() - g_first_nanosecond;
  if (elapsed < kSecond / 100) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(ticks_now() - g_first_tick) *
                                    (static_cast<double>(kSecond) / static_cast<double>(elapsed)));
}

std::uint32_t number_of(const PassKind& kind) {
  return static_cast<std::uint32_t>(&kind - g_kinds) + 1;
}

PassingBy& passing_by(PassKind& kind) {
  return kind.passing_by;
}

PassingBy& passing_by(std::uint32_t number) {
  return g_kinds[number - 1].passing_by;
}

bool passes_may_go_by() {
  return g_compares.load(std::memory_order_acquire);
}

void take_over(std::uint64_t pass_key, const Worth& found) {
  const HeldFlag seat(g_seat.busy);
  if (!seat.is_mine() || !g_compares.load(std::memory_order_acquire)) return;
  PassKind& kind = kind_of(pass_key);
  kind.found = found;
  kind.found.found_earlier = 1;
  abide_by_finding(kind, coarse_nanoseconds_now());
}

std::uint64_t findings_made() {
  return g_findings.load(std::memory_order_relaxed);
}

// Leaves out what was found of the plan before, where a thread held the seat when it was to be forgotten.
bool copy_findings(FoundKind (&out)[kMostFoundKinds], std::uint32_t* count) {
  const HeldFlag seat(g_seat.busy);
  if (!seat.is_mine()) return false;
  *count = 0;
  for (const PassKind& kind : g_kinds) {
    const bool counts = kind.settled_until.load(std::memory_order_relaxed) != 0;
    if (!counts || !is_known(kind) || kind.found.found_earlier != 0) continue;
    out[(*count)++] = {.key = kind.key.load(std::memory_order_relaxed) - 1,
                       .passes = kind.passes.load(std::memory_order_relaxed),
                       .worth = kind.found};
  }
  return true;
}

// Leaves out what a thread changes at this moment: that experiment goes on with a few requests of the plan before.
void forget_findings() {
  const HeldFlag seat(g_seat.busy);
  for (PassKind& kind : g_kinds) {
    kind.is_aside.store(false, std::memory_order_relaxed);
    kind.settled_until.store(0, std::memory_order_relaxed);
    if (!seat.is_mine()) continue;
    kind.last_time_aside = 0;
    kind.found = {};
    kind.load = {};
    kind.experiment.begin_anew();
  }
  if (seat.is_mine()) leave_seat();
}

void compare_anew_in_copy() {
  g_aside_passes.store(0, std::memory_order_relaxed);
  g_seat.busy.give_up_in_copy();
  if (g_seat.kind != nullptr) g_seat.kind->experiment.drop_pair();
  leave_seat();
}

WorthFigures look_at_worth() {
  WorthFigures figures{.worth = {},
                       .aside_passes = g_aside_passes.load(std::memory_order_relaxed),
                       .aside_kinds = 0,
                       .of_kinds = 0};
  if (!g_compares.load(std::memory_order_acquire)) return figures;
  const HeldFlag seat(g_seat.busy);
  const PassKind* told = nullptr;
  for (const PassKind& kind : g_kinds) {
    figures.of_kinds += std::uint64_t{has_begun(kind)};
    figures.aside_kinds += std::uint64_t{has_begun(kind) && kind.is_aside.load(std::memory_order_relaxed)};
    if (seat.is_mine() && (told == nullptr || tells_more(kind, *told))) told = &kind;
  }
  if (told != nullptr) figures.worth = is_known(*told) ? told->found : worth_of(told->experiment);
  return figures;
}

}  // namespace memo::runtime
