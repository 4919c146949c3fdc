#include "runtime/platform/loader.h"

#include <sched.h>

#include <atomic>

#include "runtime/platform/clock.h"
#include "runtime/platform/identity.h"

namespace memo::runtime {
namespace {

// The state of the visits in one word, so that its parts always belong together in a copy:
//
//   31          22     21      20     0
//   +-------------+-----------+--------+
//   | generation  | left lock | visits |
//   +-------------+-----------+--------+
class VisitWord {
 public:
  static constexpr std::uint32_t kVisitBits = 21;

  explicit constexpr VisitWord(std::uint32_t bits) : bits_(bits) {}

  [[nodiscard]] std::uint32_t bits() const { return bits_; }
  [[nodiscard]] std::uint32_t generation() const { return bits_ >> (kVisitBits + 1); }
  [[nodiscard]] std::uint32_t visits() const { return bits_ & (kLeftLocked - 1); }
  [[nodiscard]] bool left_locked() const { return (bits_ & kLeftLocked) != 0; }
  [[nodiscard]] VisitWord with_visits(std::uint32_t visits) const {
    return VisitWord((bits_ & ~(kLeftLocked - 1)) | visits);
  }
  // Returns what a copy makes of the word that it inherits.
  [[nodiscard]] VisitWord in_generation(std::uint32_t generation) const {
    if (generation == this->generation()) return *this;
    return VisitWord(generation << (kVisitBits + 1) | (visits() != 0 || left_locked() ? kLeftLocked : 0));
  }

 private:
  static constexpr std::uint32_t kLeftLocked = std::uint32_t{1} << kVisitBits;
  std::uint32_t bits_;
};

constinit std::atomic<std::uint32_t> g_visits{0};
constinit std::atomic<std::uint32_t> g_forks{0};  // forks under way in the generation of g_visits

// Replaces the word by change(word), unless that is the same word. Returns the word before, as this generation
// sees it.
template <typename Change>
VisitWord change_visits(std::uint32_t generation, Change change) {
  std::uint32_t bits = g_visits.load(std::memory_order_seq_cst);
  for (;;) {
    const VisitWord inherited(bits);
    const VisitWord word = inherited.in_generation(generation);
    if (generation != inherited.generation()) g_forks.store(0, std::memory_order_relaxed);
    const std::uint32_t next = change(word).bits();
    if (next == bits || g_visits.compare_exchange_weak(bits, next, std::memory_order_seq_cst)) return word;
  }
}

VisitWord visits_now() {
  return change_visits(this_generation(), [](VisitWord word) { return word; });
}

// Waits until holds() returns false, for 0.1 s at most. Yields and does not sleep, since a thread can be
// cancelled in a sleep.
template <typename Holds>
void wait_a_moment_while(Holds holds) {
  constexpr std::int64_t kLongest = kSecond / 10;
  if (!holds()) return;
  for (const std::int64_t begin = nanoseconds_now(); holds() && nanoseconds_now() - begin < kLongest;)
    sched_yield();
}

bool forks_are_under_way() {
  return g_forks.load(std::memory_order_seq_cst) != 0;
}

bool begin_visit(std::uint32_t generation) {
  const VisitWord before = change_visits(generation, [](VisitWord word) {
    return word.left_locked() ? word : word.with_visits(word.visits() + 1);
  });
  return !before.left_locked();
}

void end_visit(std::uint32_t generation) {
  if (this_generation() != generation) return;
  change_visits(generation, [](VisitWord word) { return word.with_visits(word.visits() - 1); });
}

// Begins a visit, then looks for forks: a fork that begins after the look waits for this visit, and this visit
// waits for a fork that began before it.
bool begin_visit_between_forks(std::uint32_t generation) {
  if (!begin_visit(generation)) return false;
  if (!forks_are_under_way()) return true;
  end_visit(generation);
  wait_a_moment_while(forks_are_under_way);
  return begin_visit(generation);
}

}  // namespace

LoaderVisit::LoaderVisit()
    : generation_(this_generation()), allowed_(begin_visit_between_forks(generation_)) {}

LoaderVisit::~LoaderVisit() {
  if (allowed_) end_visit(generation_);
}

bool loader_can_be_asked() {
  return !visits_now().left_locked();
}

void hold_visits_for_fork() {
  if (!loader_can_be_asked()) return;
  g_forks.fetch_add(1, std::memory_order_seq_cst);
  wait_a_moment_while([] { return visits_now().visits() != 0; });
}

void allow_visits_after_fork() {
  if (forks_are_under_way()) g_forks.fetch_sub(1, std::memory_order_seq_cst);
}

LoaderChanges loader_changes() {
  LoaderChanges changes{};
  for_each_loaded_object([&changes](const LoadedObject& object) {
    changes = changes_until(object);
    return true;
  });
  return changes;
}

}  // namespace memo::runtime
