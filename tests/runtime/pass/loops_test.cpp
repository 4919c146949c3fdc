// Loops seen from the program: a plan of a few iterations serves passes of any number of them, from places that come back
// after the period, whether call sites or operators tell where an iteration ends; and what an iteration leaves out or does
// besides does not derail the next.
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;
using planner::PlanLoopDescription;

// The parts of a pass: the sites of each part, one letter an operator that makes one allocation, and what all operators stand
// in.
struct Parts {
  std::vector<std::uint64_t> before, body, behind;
  std::string scopes_before, scopes_of_body, scopes_behind;  // empty: no operators
};

constexpr std::uint32_t kPeriod = 2;

// Every slot has a cell of its own: an address tells which slot it is.
class LoopPlan {
 public:
  explicit LoopPlan(const Parts& parts) {
    plan_.variants.resize(1);
    add(parts.before, parts.scopes_before);
    PlanLoopDescription loop{.first_slot = slots(),
                             .slots = static_cast<std::uint32_t>(parts.body.size()),
                             .first_scope = scopes(),
                             .scopes = static_cast<std::uint32_t>(parts.scopes_of_body.size())};
    for (std::uint32_t iteration = 0; iteration < kPeriod; ++iteration) add(parts.body, parts.scopes_of_body);
    loop.end_slot = slots();
    loop.end_scope = scopes();
    variant().loops.push_back(loop);
    add(parts.behind, parts.scopes_behind);
    serve(plan_);
  }

 private:
  PlanVariantDescription& variant() { return plan_.variants.front(); }
  std::uint32_t slots() { return static_cast<std::uint32_t>(variant().slots.size()); }
  std::uint32_t scopes() { return static_cast<std::uint32_t>(variant().scopes.size()); }

  void add(const std::vector<std::uint64_t>& sites, const std::string& names) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const std::uint32_t scope = i < names.size() ? scopes() : kNoScope;
      if (i < names.size())
        variant().scopes.push_back({.name = {names[i]}, .first_slot = slots(), .end_slot = slots() + 1});
      plan_.cells.push_back(64);
      variant().slots.push_back(cell_slot(sites[i], 64, slots(), scope));
    }
  }

  PlanDescription plan_ = empty_plan();
};

void expect_released(void* block) {
  if (block != nullptr) {
    EXPECT_TRUE(release(block));
  }
}

// Counts what the arena serves, and frees as it goes.
class Program {
 public:
  void* make(std::uint64_t site, char scope = 0) {
    const std::string name(1, scope);
    const bool told = scope != 0 && !t_self.ignores_operators;
    if (told) scope_begin(scope_name_hash(name.c_str()));
    void* block = allocate(64, site);
    if (told) scope_end();
    ++made_;
    served_ += block != nullptr ? 1 : 0;
    return block;
  }
  void part(const std::vector<std::uint64_t>& sites, const std::string& scopes) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      void* block = make(sites[i], i < scopes.size() ? scopes[i] : '\0');
      blocks_.push_back(block);
      expect_released(block);
    }
  }
  void pass(const Parts& parts, int iterations) {
    blocks_.clear();
    const Pass running;
    part(parts.before, parts.scopes_before);
    for (int i = 0; i < iterations; ++i) part(parts.body, parts.scopes_of_body);
    part(parts.behind, parts.scopes_behind);
  }
  [[nodiscard]] int made() const { return made_; }
  [[nodiscard]] int served() const { return served_; }
  [[nodiscard]] const std::vector<void*>& blocks() const { return blocks_; }

 private:
  int made_ = 0;
  int served_ = 0;
  std::vector<void*> blocks_;
};

// The places of the slots in the order of the plan: a pass that goes round as often as the plan does meets each once.
std::vector<void*> places_of_slots(const Parts& parts) {
  Program program;
  program.pass(parts, kPeriod);
  EXPECT_EQ(std::set<void*>(program.blocks().begin(), program.blocks().end()).size(),
            program.blocks().size());
  return program.blocks();
}

// Returns the slot of allocation `number` of a pass that made so many.
std::size_t slot_of(const Parts& parts, std::size_t number, std::size_t made) {
  const std::size_t before = parts.before.size();
  const std::size_t in_loop = kPeriod * parts.body.size();
  const std::size_t behind = made - parts.behind.size();
  if (number >= behind) return before + in_loop + number - behind;
  return number < before ? number : before + (number - before) % in_loop;
}

// Expects that what comes after the loop, too, has places of its own, after any number of iterations.
void expect_own_places(const Parts& parts, const std::vector<void*>& places,
                       const std::vector<void*>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    ASSERT_EQ(blocks[i], places[slot_of(parts, i, blocks.size())])
        << "allocation " << i << " of " << blocks.size();
}

void expect_any_number_is_served(const Parts& parts) {
  const LoopPlan plan(parts);
  const std::vector<void*> places = places_of_slots(parts);
  for (int iterations = 0; iterations <= 200; ++iterations) {
    Program program;
    const std::uint64_t served = statistics().served;
    program.pass(parts, iterations);
    ASSERT_EQ(program.served(), program.made()) << iterations << " iterations";
    ASSERT_EQ(statistics().served - served, static_cast<std::uint64_t>(program.made()));
    expect_own_places(parts, places, program.blocks());
  }
}

// A kernel that needs a buffer for some shapes only: the other shapes' iterations end before it.
TEST(Loops, AnIterationMayLackItsLastSteps) {
  const Parts parts{.before = {1}, .body = {2, 3, 4, 5}, .behind = {6}};
  const LoopPlan plan(parts);
  const std::vector<void*> places = places_of_slots(parts);
  for (const std::size_t made : {2U, 3U}) {
    const std::vector<std::uint64_t> shorter(parts.body.begin(),
                                             parts.body.begin() + static_cast<std::ptrdiff_t>(made));
    Program program;
    program.pass({.before = parts.before, .body = shorter, .behind = parts.behind}, 7);
    ASSERT_EQ(program.served(), program.made());
    for (std::size_t iteration = 0; iteration < 7; ++iteration)
      for (std::size_t step = 0; step < made; ++step)
        EXPECT_EQ(program.blocks()[1 + iteration * made + step], places[1 + iteration % kPeriod * 4 + step]);
    EXPECT_EQ(program.blocks().back(), places.back());
  }
}

TEST(Loops, AreServedForAnyNumberOfIterationsByTheirSites) {
  expect_any_number_is_served({.before = {1, 2}, .body = {11, 12, 13}, .behind = {21, 22}});
}

TEST(Loops, AreServedForAnyNumberOfIterationsByTheirOperators) {
  expect_any_number_is_served({.before = {1, 1},
                               .body = {1, 1, 1},
                               .behind = {1, 1},
                               .scopes_before = "pq",
                               .scopes_of_body = "abc",
                               .scopes_behind = "st"});
}

// Between two iterations the loop is at its end for whoever asks for what is behind, although an iteration asks for that, too.
TEST(Loops, AreServedWhereWhatIsBehindBeginsAtASiteOfTheBody) {
  expect_any_number_is_served({.before = {1}, .body = {11, 12, 13}, .behind = {12, 22}});
}

// Operators of the body occur before and behind it as well, and several times in it.
TEST(Loops, AreServedWhereTheNamesOfOperatorsOccurInEveryPart) {
  expect_any_number_is_served({.before = {1, 1, 1},
                               .body = {1, 1, 1, 1},
                               .behind = {1, 1, 1},
                               .scopes_before = "bab",
                               .scopes_of_body = "abcb",
                               .scopes_behind = "sba"});
}

TEST(Loops, AreServedWithNothingBeforeAndNothingBehind) {
  expect_any_number_is_served(
      {.before = {}, .body = {1, 1}, .behind = {}, .scopes_before = "", .scopes_of_body = "ab"});
  expect_any_number_is_served({.before = {}, .body = {1, 2}, .behind = {}});
}

// What is behind begins as the body does: taken for another iteration first, it still gets places that are free.
TEST(Loops, AreServedWhereWhatIsBehindBeginsLikeTheBody) {
  const Parts parts{.before = {1},
                    .body = {1, 1},
                    .behind = {1, 1},
                    .scopes_before = "p",
                    .scopes_of_body = "ab",
                    .scopes_behind = "as"};
  const LoopPlan plan(parts);
  for (int iterations = 0; iterations <= 200; ++iterations) {
    Program program;
    program.pass(parts, iterations);
    EXPECT_EQ(program.served(), program.made()) << iterations << " iterations";
  }
}

// Odd things happen in a tenth of all steps. Nearly everything is served, and an iteration without them has its own places.
void expect_odd_things_are_forgotten(const Parts& parts) {
  const LoopPlan plan(parts);
  Program regular;
  regular.pass(parts, 4);
  const std::vector<void*> expected = regular.blocks();
  std::mt19937 dice(7);
  Program program;
  int in_place = 0;
  const Pass running;
  program.part(parts.before, parts.scopes_before);
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < parts.body.size(); ++i) {
      const char scope = i < parts.scopes_of_body.size() ? parts.scopes_of_body[i] : '\0';
      if (dice() % 10 == 0) continue;
      expect_released(program.make(parts.body[i], scope));
      if (dice() % 10 != 0) continue;
      expect_released(program.make(99, 'x'));
    }
    for (int again = 0; again < 3; ++again) program.part(parts.body, parts.scopes_of_body);
    const auto last = program.blocks().end() - static_cast<std::ptrdiff_t>(parts.body.size());
    const auto mine = expected.begin() + static_cast<std::ptrdiff_t>(parts.before.size());
    for (std::uint32_t iteration = 0; iteration < kPeriod; ++iteration)
      in_place += std::equal(last, program.blocks().end(),
                             mine + static_cast<std::ptrdiff_t>(iteration * parts.body.size()));
  }
  EXPECT_GE(in_place, kRounds * 9 / 10);
  EXPECT_GE(program.served(), program.made() * 95 / 100);
}

TEST(Loops, AreNotDerailedByConditionalAllocationsAtOtherSites) {
  expect_odd_things_are_forgotten(
      {.before = {1, 2}, .body = {11, 12, 13, 14, 15, 16, 17, 18}, .behind = {21}});
}

TEST(Loops, AreNotDerailedByConditionalOperators) {
  expect_odd_things_are_forgotten({.before = {1, 1},
                                   .body = std::vector<std::uint64_t>(8, 1),
                                   .behind = {1},
                                   .scopes_before = "pq",
                                   .scopes_of_body = "abcbdbeb",
                                   .scopes_behind = "s"});
}

// What one iteration left out is not made up for by the next, which leaves out something else.
TEST(Loops, ForgetTheOperatorsThatAnIterationLeftOut) {
  const Parts parts{.before = {1},
                    .body = {1, 1, 1},
                    .behind = {1},
                    .scopes_before = "p",
                    .scopes_of_body = "abc",
                    .scopes_behind = "s"};
  const LoopPlan plan(parts);
  const std::vector<void*> places = places_of_slots(parts);
  Program program;
  const Pass running;
  program.part({1, 1, 1}, "pab");
  program.part({1, 1}, "ac");
  EXPECT_EQ(program.blocks(), (std::vector<void*>{places[0], places[1], places[2], places[4], places[6]}));
}

// Left out are the end of the last iteration that the plan has and the beginning of what comes then, which is its first.
TEST(Loops, GoOnWithTheirFirstSlotsBehindTheirLast) {
  const Parts parts{.before = {1}, .body = {11, 12, 13, 14}, .behind = {21}};
  const LoopPlan plan(parts);
  const std::vector<void*> places = places_of_slots(parts);
  Program program;
  const Pass running;
  program.part({1, 11, 12, 13, 14, 11, 12, 13}, "");
  program.part({12, 13, 14}, "");
  const std::vector<void*> across(program.blocks().begin() + 8, program.blocks().end());
  EXPECT_EQ(across, (std::vector<void*>{places[2], places[3], places[4]}));
}

// A block that an iteration hands on to the next lives while its successor is made, on other bytes of the slab.
TEST(Loops, HandBlocksOnFromIterationToIteration) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {
      {.slots = {large_slot(1, 4096, 0), cell_slot(2, 64, 0), large_slot(1, 4096, 4096), cell_slot(2, 64, 0)},
       .loops = {{.first_slot = 0, .end_slot = 4, .slots = 2}}}};
  serve(plan);
  const Pass running;
  Shadow shadow;
  void* state = nullptr;
  for (int iteration = 0; iteration < 50; ++iteration) {
    void* next = allocate(4096, 1);
    ASSERT_NE(next, nullptr) << iteration;
    shadow.born(next, 4096);
    if (state != nullptr) {
      shadow.dies(state);
      EXPECT_TRUE(release(state));
    }
    state = next;
    EXPECT_TRUE(release(allocate(64, 2)));
  }
  EXPECT_TRUE(release(state));
}

// What the plan leaves to the heap takes nobody's place, although all come from one call site; and it is no miss, after any
// number of which the pass would give up.
TEST(Loops, LeaveToTheHeapWhatThePlanDoes) {
  PlanDescription plan = empty_plan();
  const PlanSlotDescription left = heap_slot(1, 64);
  plan.variants = {{.slots = {left, large_slot(1, 64, 0), left, large_slot(1, 64, 64)},
                    .loops = {{.first_slot = 0, .end_slot = 4, .slots = 2}}}};
  serve(plan);
  const std::uint64_t unplanned = fallbacks(Reason::kUnplanned);
  void* expected[2] = {};
  {
    const Pass running;
    for (int iteration = 0; iteration < 400; ++iteration) {
      EXPECT_EQ(allocate(64, 1), nullptr);
      void* block = allocate(64, 1);
      ASSERT_NE(block, nullptr) << iteration;
      if (iteration < 2) expected[iteration] = block;
      EXPECT_EQ(block, expected[iteration % 2]);
      EXPECT_TRUE(release(block));
    }
  }
  EXPECT_EQ(fallbacks(Reason::kUnplanned) - unplanned, 400u);
}

// The plan has the last iteration behind the loop, since its operator stays open for what follows. A pass takes it for one more
// of the loop, and what follows it still finds its own slot: here one that is left to the heap, with one of the same site behind
// it that it must not take.
TEST(Loops, FindWhatFollowsALastIterationBehindThem) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64, 64, 64};
  plan.variants = {
      {.scopes = {{.name = "a", .first_slot = 0, .end_slot = 1},
                  {.name = "a", .first_slot = 1, .end_slot = 2},
                  {.name = "a", .first_slot = 2, .end_slot = 5}},
       .slots = {cell_slot(1, 64, 0, 0), cell_slot(1, 64, 1, 1), cell_slot(1, 64, 2, 2), heap_slot(2, 64),
                 cell_slot(3, 64, 3, 2), cell_slot(2, 64, 3)},
       .loops = {
           {.first_slot = 0, .end_slot = 2, .slots = 1, .first_scope = 0, .end_scope = 2, .scopes = 1}}}};
  serve(plan);
  for (int iterations = 1; iterations < 20; ++iterations) {
    const Pass running;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
      if (iteration != 0) scope_end();
      scope_begin(scope_name_hash("a"));
      EXPECT_TRUE(release(allocate(64, 1)));
    }
    EXPECT_EQ(allocate(64, 2), nullptr) << iterations;
    void* block = allocate(64, 3);
    EXPECT_TRUE(block != nullptr && release(block));
    scope_end();
  }
}

// What follows the loop is no iteration of it, so that a pass which begins there with the second step is not taken to have done
// the first one.
TEST(Loops, TakeNothingElseForALastIteration) {
  const Parts parts{.before = {1}, .body = {2}, .behind = {5, 3, 5}};
  const LoopPlan plan(parts);
  const std::vector<void*> places = places_of_slots(parts);
  Program program;
  const Pass running;
  program.part(parts.before, "");
  for (std::uint32_t i = 0; i < kPeriod; ++i) program.part(parts.body, "");
  program.part({3}, "");
  void* first = program.make(5);
  EXPECT_EQ(first, places[1 + kPeriod]);
  expect_released(first);
}

// A variant without the loop, of passes with fewer iterations, has the size that is asked for; but no end of iterations, and with
// a block that each hands on to the next there is no way back.
TEST(Loops, AreNotLeftForABlockThatIsLargerThanPlanned) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64};
  const PlanSlotDescription even = large_slot(2, 4096, 0);
  const PlanSlotDescription odd = large_slot(2, 4096, 4096);
  const PlanSlotDescription shape = cell_slot(3, 64, 1);
  plan.variants = {{.slots = {cell_slot(1, 64, 0), even, shape, odd, shape},
                    .loops = {{.first_slot = 1, .end_slot = 5, .slots = 2}}},
                   {.slots = {large_slot(1, 8192, 8192), even, shape}}};
  serve(plan);
  const Pass running;
  EXPECT_TRUE(release(allocate(8192, 1)));  // at the other variant's place, as both share a table
  void* state = nullptr;
  for (int iteration = 0; iteration < 50; ++iteration) {
    void* next = allocate(4096, 2);
    ASSERT_NE(next, nullptr) << iteration;
    if (state != nullptr) {
      EXPECT_TRUE(release(state));
    }
    state = next;
    EXPECT_TRUE(release(allocate(64, 3)));
  }
  EXPECT_TRUE(release(state));
}

TEST(Loops, AreKeptToWhereAnOperatorTellsTheIteration) {
  const Parts parts{.before = {1},
                    .body = {2, 3},
                    .behind = {4},
                    .scopes_before = "x",
                    .scopes_of_body = "ab",
                    .scopes_behind = "y"};
  const LoopPlan plan(parts);
  Program program;
  for (const int iterations : {5, 2, 9, 1}) program.pass(parts, iterations);
  EXPECT_EQ(program.served(), program.made());
  const Pass running;
  EXPECT_TRUE(t_self.ignores_operators) << "four passes went as planned";
}

// A plan that ends with a loop has something left wherever the pass stands: what begins inside it is part of it.
TEST(Loops, KeepThePassThatEndsWithThem) {
  const Parts parts{.before = {}, .body = {1, 2}, .behind = {}};
  const LoopPlan plan(parts);
  const std::uint64_t abandoned = statistics().abandoned;
  const std::uint64_t passes = statistics().passes;
  pass_begin(0, reinterpret_cast<const void*>(std::uintptr_t{1} << 20));
  for (int iteration = 0; iteration < 10; ++iteration) {
    pass_begin(0, reinterpret_cast<const void*>(std::uintptr_t{1} << 19));
    for (const std::uint64_t site : parts.body) EXPECT_TRUE(release(allocate(64, site)));
    pass_end();
  }
  pass_end();
  EXPECT_EQ(statistics().abandoned, abandoned);
  EXPECT_EQ(statistics().passes - passes, 1u);
}

}  // namespace
}  // namespace memo::runtime
