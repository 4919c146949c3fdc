// An operator that follows its neighbour is told to the arena in one step (scope_follows), and that is the same as the end of
// the one and the begin of the other: whatever a pass leaves out, repeats, brings along or does in another order, it gets the
// same places. Plans and passes are drawn by chance, from seeds that a failure names.
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

struct Operator {
  char name;
  int allocations;
  std::vector<Operator> inner;
};
using Operators = std::vector<Operator>;

enum class What { kBegin, kEnd, kAllocate };
struct Event {
  What what;
  char name;
};

constexpr std::uint64_t kSite = 7;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  [[nodiscard]] int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  Operators operators(int depth) {
    Operators drawn;
    const int count = 1 + below(6);
    for (int i = 0; i < count; ++i)
      drawn.push_back({name(), below(3), depth > 0 && below(3) == 0 ? operators(depth - 1) : Operators{}});
    return drawn;
  }

  // A pass that differs here and there from what was planned.
  Operators otherwise(const Operators& planned) {
    Operators drawn;
    for (const Operator& one : planned) {
      const int change = below(12);
      if (change == 0) continue;
      drawn.push_back(
          {change == 1 ? 'z' : one.name, change == 2 ? below(4) : one.allocations, otherwise(one.inner)});
      if (change == 3) drawn.push_back(drawn.back());
      if (change == 4 && drawn.size() > 1) std::swap(drawn.back(), drawn[drawn.size() - 2]);
    }
    return drawn;
  }

 private:
  char name() { return static_cast<char>('a' + below(4)); }

  std::minstd_rand random_;
};

void write_down(const Operators& operators, std::vector<Event>& events) {
  for (const Operator& one : operators) {
    events.push_back({What::kBegin, one.name});
    for (int i = 0; i < one.allocations; ++i) events.push_back({What::kAllocate, 0});
    write_down(one.inner, events);
    events.push_back({What::kEnd, 0});
  }
}

std::vector<Event> events_of(const Operators& operators) {
  std::vector<Event> events;
  write_down(operators, events);
  return events;
}

// Every slot has a cell of its own: an address tells which slot it is.
PlanDescription plan_of(const std::vector<Event>& events) {
  PlanDescription plan = empty_plan();
  plan.variants.resize(1);
  auto& scopes = plan.variants[0].scopes;
  auto& slots = plan.variants[0].slots;
  std::vector<std::uint32_t> open;
  for (const Event& event : events) {
    const auto at = static_cast<std::uint32_t>(slots.size());
    const std::uint32_t scope = open.empty() ? kNoScope : open.back();
    if (event.what == What::kBegin) {
      open.push_back(static_cast<std::uint32_t>(scopes.size()));
      scopes.push_back({.name = {event.name}, .first_slot = at, .end_slot = at, .parent = scope});
    } else if (event.what == What::kEnd) {
      scopes[scope].end_slot = at;
      open.pop_back();
    } else {
      slots.push_back(cell_slot(kSite, 64, plan.cells.size(), scope));
      plan.cells.push_back(64);
    }
  }
  return plan;
}

std::uint64_t hash_of(char name) {
  return scope_name_hash(std::string(1, name).c_str());
}

// The places that the pass gets, -1 for the heap's.
std::vector<std::ptrdiff_t> places(const PlanDescription& plan, const std::vector<Event>& events,
                                   bool in_one_step) {
  serve(plan);
  std::vector<std::ptrdiff_t> found;
  const Pass pass;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool follows =
        in_one_step && i > 0 && events[i - 1].what == What::kEnd && events[i].what == What::kBegin;
    const bool is_followed = in_one_step && events[i].what == What::kEnd && i + 1 < events.size() &&
                             events[i + 1].what == What::kBegin;
    if (follows) {
      scope_follows(hash_of(events[i].name));
    } else if (events[i].what == What::kBegin) {
      scope_begin(hash_of(events[i].name));
    } else if (events[i].what == What::kAllocate) {
      auto* block = static_cast<char*>(allocate(64, kSite));
      found.push_back(block == nullptr ? -1 : block - t_self.base);
      if (block != nullptr) release(block);
    } else if (!is_followed) {
      scope_end();
    }
  }
  return found;
}

TEST(Scopes, ThatFollowAreTheSameAsAnEndAndABegin) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    Draw draw(seed);
    const Operators planned = draw.operators(2);
    const std::vector<Event> as_planned = events_of(planned);
    const PlanDescription plan = plan_of(as_planned);
    if (plan.cells.empty()) continue;
    const std::vector<Event> otherwise = events_of(draw.otherwise(planned));
    for (const std::vector<Event>& pass : {as_planned, otherwise})
      ASSERT_EQ(places(plan, pass, true), places(plan, pass, false)) << "seed " << seed;
  }
}

// Without an operator that is open there is nothing to follow.
TEST(Scopes, ThatFollowNothingAreABegin) {
  const std::vector<Event> one = events_of({{'a', 2, {}}});
  serve(plan_of(one));
  const Pass pass;
  scope_follows(hash_of('a'));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(release(allocate(64, kSite)));
}

}  // namespace
}  // namespace memo::runtime
