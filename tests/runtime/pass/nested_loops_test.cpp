// Loops in loops seen from the program: a plan with a few iterations of each serves passes of any number of them, also where
// the inner loop runs another number of times in each iteration of the outer one, and each allocation gets the very slot that
// it has after so many iterations: whether call sites or operators tell where an iteration ends.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;
using planner::PlanLoopDescription;

// A part of a pass: an allocation, an operator around parts, or a loop over parts.
struct Part {
  std::uint64_t site = 0;
  std::string scope;
  std::uint32_t period = 0;
  std::vector<Part> inside;
};
using Parts = std::vector<Part>;

Part at(std::uint64_t site) {
  return {.site = site, .scope = "", .inside = {}};
}
Part op(const std::string& name, Parts inside) {
  return {.scope = name, .inside = std::move(inside)};
}
Part loop(std::uint32_t period, Parts body) {
  return {.scope = "", .period = period, .inside = std::move(body)};
}

constexpr std::uint64_t kCell = 64;

// Every slot has a cell of its own: an address tells which slot it is.
class NestedPlan {
 public:
  explicit NestedPlan(const Parts& parts) {
    plan_.variants.resize(1);
    add(parts, kNoScope);
    serve(plan_);
  }

 private:
  PlanVariantDescription& variant() { return plan_.variants.front(); }
  std::uint32_t slots() { return static_cast<std::uint32_t>(variant().slots.size()); }
  std::uint32_t scopes() { return static_cast<std::uint32_t>(variant().scopes.size()); }

  void add(const Parts& parts, std::uint32_t scope) {
    for (const Part& part : parts) {
      if (part.period != 0) {
        add_loop(part, scope);
      } else if (!part.scope.empty()) {
        add_scope(part, scope);
      } else {
        plan_.cells.push_back(kCell);
        variant().slots.push_back(cell_slot(part.site, kCell, slots(), scope));
      }
    }
  }
  void add_scope(const Part& part, std::uint32_t around) {
    const std::uint32_t scope = scopes();
    variant().scopes.push_back({.name = part.scope, .first_slot = slots(), .parent = around});
    add(part.inside, scope);
    variant().scopes[scope].end_slot = slots();
  }
  void add_loop(const Part& part, std::uint32_t scope) {
    const std::size_t number = variant().loops.size();
    PlanLoopDescription described{.first_slot = slots(), .first_scope = scopes()};
    variant().loops.push_back(described);
    for (std::uint32_t i = 0; i < part.period; ++i) add(part.inside, scope);
    described.end_slot = slots();
    described.end_scope = scopes();
    described.slots = (described.end_slot - described.first_slot) / part.period;
    described.scopes = (described.end_scope - described.first_scope) / part.period;
    variant().loops[number] = described;
  }

  PlanDescription plan_ = empty_plan();
};

std::uint32_t slots_of(const Parts& parts) {
  std::uint32_t slots = 0;
  for (const Part& part : parts) {
    const std::uint32_t inside = slots_of(part.inside);
    slots += part.period != 0 ? part.period * inside : part.scope.empty() ? 1 : inside;
  }
  return slots;
}

// Returns how often a loop runs, which lies in so many others.
using Counts = std::function<int(int depth)>;

// Runs passes, frees as it goes, and counts what is served, and what from the slot that it has in the plan.
class Program {
 public:
  void pass(const Parts& parts, const Counts& counts) {
    counts_ = counts;
    base_ = nullptr;
    const Pass running;
    run(parts, 0, 0);
  }
  [[nodiscard]] int made() const { return made_; }
  [[nodiscard]] int served() const { return served_; }
  [[nodiscard]] int in_place() const { return in_place_; }

 private:
  // Returns the slot after the parts, the first of which begin at `slot`.
  std::uint32_t run(const Parts& parts, std::uint32_t slot, int depth) {
    for (const Part& part : parts) {
      if (part.period != 0) {
        slot = run_loop(part, slot, depth);
      } else if (!part.scope.empty()) {
        scope_begin(scope_name_hash(part.scope.c_str()));
        slot = run(part.inside, slot, depth);
        scope_end();
      } else {
        make(part.site, slot++);
      }
    }
    return slot;
  }
  std::uint32_t run_loop(const Part& part, std::uint32_t slot, int depth) {
    const std::uint32_t slots = slots_of(part.inside);
    const auto count = static_cast<std::uint32_t>(counts_(depth));
    for (std::uint32_t i = 0; i < count; ++i) run(part.inside, slot + i % part.period * slots, depth + 1);
    return slot + part.period * slots;
  }
  void make(std::uint64_t site, std::uint32_t slot) {
    auto* block = static_cast<char*>(allocate(kCell, site));
    ++made_;
    if (block == nullptr) return;
    ++served_;
    if (base_ == nullptr) base_ = block - slot * kCell;
    in_place_ += block == base_ + slot * kCell;
    EXPECT_TRUE(release(block));
  }

  Counts counts_;
  char* base_ = nullptr;
  int made_ = 0;
  int served_ = 0;
  int in_place_ = 0;
};

void expect_all_in_place(const Parts& parts, const Counts& counts, const std::string& what) {
  Program program;
  program.pass(parts, counts);
  EXPECT_EQ(program.served(), program.made()) << what;
  EXPECT_EQ(program.in_place(), program.made()) << what;
}

// The same numbers throughout a pass, and then another one for each time that a loop is entered.
void expect_any_numbers_are_served(const Parts& parts, int fewest = 1) {
  const NestedPlan plan(parts);
  for (int outer = 1; outer <= 9; ++outer)
    for (int inner = fewest; inner <= 9; ++inner)
      expect_all_in_place(
          parts, [&](int depth) { return depth == 0 ? outer : inner; },
          std::to_string(outer) + " times " + std::to_string(inner));
  std::mt19937 dice(5);
  for (int pass = 0; pass < 100; ++pass)
    expect_all_in_place(
        parts, [&](int depth) { return depth == 0 ? 1 + int(dice() % 20) : fewest + int(dice() % 6); },
        "pass " + std::to_string(pass));
}

TEST(NestedLoops, AreServedForAnyNumbersByTheirSites) {
  expect_any_numbers_are_served({at(1), loop(2, {at(11), loop(2, {at(21), at(22)}), at(12)}), at(2)});
}

// With one iteration of each in the plan, every iteration ends with a slow call.
TEST(NestedLoops, AreServedWithOneIterationInThePlan) {
  expect_any_numbers_are_served({at(1), loop(1, {at(11), loop(1, {at(21), at(22)}), at(12)}), at(2)});
}

TEST(NestedLoops, AreServedWhereTheInnerLoopComesFirst) {
  expect_any_numbers_are_served({at(1), loop(2, {loop(2, {at(21), at(22)}), at(12)}), at(2)});
}

TEST(NestedLoops, AreServedWhereTheInnerLoopComesLast) {
  expect_any_numbers_are_served({at(1), loop(3, {at(11), loop(2, {at(21), at(22)})}), at(2)});
}

TEST(NestedLoops, AreServedWithSeveralInnerLoopsOneAfterTheOther) {
  expect_any_numbers_are_served(
      {at(1),
       loop(2, {at(11), loop(2, {at(21), at(22)}), loop(3, {at(31)}), loop(1, {at(41), at(42)}), at(12)}),
       at(2)});
}

TEST(NestedLoops, AreServedOnThreeLevels) {
  expect_any_numbers_are_served(
      {at(1), loop(2, {at(11), loop(2, {at(21), loop(2, {at(31), at(32)}), at(22)}), at(12)}), at(2)});
}

TEST(NestedLoops, AreServedWithNothingAroundThem) {
  expect_any_numbers_are_served({loop(2, {loop(2, {at(21), at(22)}), at(11)})});
}

// Boxes that a detector finds: there may be none.
TEST(NestedLoops, AreServedWhereAnInnerLoopDoesNotRun) {
  expect_any_numbers_are_served({at(1), loop(2, {at(11), loop(2, {at(21), at(22)}), at(12)}), at(2)}, 0);
  expect_any_numbers_are_served({at(1), loop(2, {loop(2, {at(21), at(22)}), at(12)}), at(2)}, 0);
  expect_any_numbers_are_served({at(1), loop(2, {at(11), loop(2, {at(21), at(22)})}), at(2)}, 0);
}

// All allocations come from one site, as tensors do in PyTorch.
TEST(NestedLoops, AreServedForAnyNumbersByTheirOperators) {
  const Part a = op("a", {at(1)});
  const Part b = op("b", {at(1), at(1)});
  const Part view = op("view", {at(1)});
  expect_any_numbers_are_served(
      {op("p", {at(1)}), loop(2, {a, loop(2, {view, b}), op("c", {at(1)})}), op("s", {at(1)})});
  expect_any_numbers_are_served(
      {op("p", {at(1)}), loop(2, {a, loop(2, {view, b}), op("c", {at(1)})}), op("s", {at(1)})}, 0);
  expect_any_numbers_are_served({op("p", {at(1)}), loop(3, {loop(2, {view, b}), a}), op("s", {at(1)})});
  expect_any_numbers_are_served({op("p", {at(1)}), loop(1, {a, loop(1, {view, b})}), op("s", {at(1)})});
  expect_any_numbers_are_served(
      {op("p", {at(1)}), loop(2, {a, loop(2, {view, loop(2, {b, op("d", {at(1)})})})}), op("s", {at(1)})});
}

// An operator loops over the texts of a batch and the heads of each; tokens are generated around it.
TEST(NestedLoops, AreServedInsideOperators) {
  const Part product = op("product", {at(1), loop(1, {op("view", {at(2)}), op("view", {at(2)}), at(3)})});
  expect_any_numbers_are_served(
      {op("embed", {at(1)}),
       loop(2, {op("project", {at(1)}), product, op("softmax", {at(1)}), product, op("linear", {at(1)})}),
       op("mean", {at(1)})});
}

// An operator that the loops have, too, comes before them, between and behind.
TEST(NestedLoops, AreServedWhereTheNamesOfOperatorsOccurOnEveryLevel) {
  const Part view = op("view", {at(1)});
  const Part add = op("add", {at(1)});
  expect_any_numbers_are_served(
      {view, add, loop(2, {op("token", {at(1)}), view, loop(2, {op("text", {at(1)}), view, add}), add, view}),
       op("end", {at(1)}), view, add});
}

Parts draw_parts(std::mt19937& dice, int depth, std::uint64_t& site) {
  Parts parts;
  for (auto count = 1 + dice() % 4; count != 0; --count) {
    const Part one = at(site++);
    parts.push_back(dice() % 2 == 0 ? one : op("op" + std::to_string(site), {one}));
    if (depth < static_cast<int>(kMaxLoopDepth) && dice() % 3 == 0)
      parts.push_back(loop(1 + static_cast<std::uint32_t>(dice() % 3), draw_parts(dice, depth + 1, site)));
  }
  return parts;
}

// Each step has a site of its own, and some have operators. What runs at least once gets its own places.
TEST(NestedLoops, AreServedInAnyProgram) {
  std::mt19937 dice(9);
  for (int number = 0; number < 200; ++number) {
    std::uint64_t site = 1;
    const Parts parts = draw_parts(dice, 0, site);
    const NestedPlan plan(parts);
    for (int pass = 0; pass < 10; ++pass)
      expect_all_in_place(
          parts, [&](int) { return 1 + static_cast<int>(dice() % 5); }, "program " + std::to_string(number));
  }
}

// What an iteration leaves out or does besides does not derail the next ones.
TEST(NestedLoops, AreNotDerailedByWhatIterationsLeaveOut) {
  Parts body;
  for (std::uint64_t site = 11; site < 19; ++site) body.push_back(at(site));
  Parts outer = {at(5), at(6)};
  outer.push_back(loop(2, body));
  outer.push_back(at(7));
  const Parts parts = {at(1), loop(2, outer), at(2)};
  const NestedPlan plan(parts);
  std::mt19937 dice(3);
  const std::uint64_t given_up = fallbacks(Reason::kGaveUp);
  const Pass running;
  int made = 0;
  int served = 0;
  const auto make = [&](std::uint64_t site) {
    void* block = allocate(kCell, site);
    ++made;
    served += block != nullptr;
    if (block != nullptr) {
      EXPECT_TRUE(release(block));
    }
  };
  make(1);
  for (int i = 0; i < 200; ++i) {
    make(5);
    make(6);
    for (auto inner = 1 + dice() % 4; inner != 0; --inner) {
      for (std::uint64_t site = 11; site < 19; ++site) {
        if (dice() % 12 != 0) make(site);
        if (dice() % 12 == 0) make(99);
      }
    }
    make(7);
  }
  make(2);
  EXPECT_GE(served, made * 85 / 100);  // a stray in twelve is no slot's
  EXPECT_EQ(fallbacks(Reason::kGaveUp), given_up);
}

// A large block is handed on by each iteration of the outer loop to the next, while the inner loop goes round with one of its own.
TEST(NestedLoops, HandBlocksOnFromIterationToIteration) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  const PlanSlotDescription inner[] = {large_slot(2, 4096, 8192), large_slot(2, 4096, 12288)};
  plan.variants = {{.slots = {large_slot(1, 4096, 0), inner[0], inner[1], cell_slot(3, 64, 0),
                              large_slot(1, 4096, 4096), inner[0], inner[1], cell_slot(3, 64, 0)},
                    .loops = {{.first_slot = 0, .end_slot = 8, .slots = 4},
                              {.first_slot = 1, .end_slot = 3, .slots = 1},
                              {.first_slot = 5, .end_slot = 7, .slots = 1}}}};
  serve(plan);
  const Pass running;
  Shadow shadow;
  const auto hand_on = [&](void*& held, std::uint64_t site) {
    void* next = allocate(4096, site);
    ASSERT_NE(next, nullptr);
    shadow.born(next, 4096);
    if (held != nullptr) {
      shadow.dies(held);
      EXPECT_TRUE(release(held));
    }
    held = next;
  };
  const auto drop = [&](void*& held) {
    shadow.dies(held);
    EXPECT_TRUE(release(held));
    held = nullptr;
  };
  void* state = nullptr;
  for (int iteration = 0; iteration < 50; ++iteration) {
    hand_on(state, 1);
    void* part = nullptr;
    for (int i = 0; i <= iteration % 5; ++i) hand_on(part, 2);
    drop(part);
    EXPECT_TRUE(release(allocate(64, 3)));
  }
  drop(state);
}

// ---- lists ----

PlanSlotDescription list_slot(std::uint64_t site, std::uint64_t first, std::uint32_t cells) {
  return {.site = {0, site}, .size = 100, .zone = PlanZone::kList, .place = first, .cells = cells};
}

// An outer loop with an inner one that gathers.
PlanDescription gathering(std::uint32_t cells) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64, 64};
  plan.cells.insert(plan.cells.end(), cells, 128);
  plan.variants = {
      {.slots = {cell_slot(1, 40, 0), list_slot(2, 3, cells), cell_slot(3, 40, 1), cell_slot(4, 40, 2)},
       .loops = {{.first_slot = 0, .end_slot = 4, .slots = 4},
                 {.first_slot = 1, .end_slot = 3, .slots = 2}}}};
  return plan;
}

// Returns how many of the gathered blocks the heap had to serve. `keep` holds them for the pass, not for the iteration.
int gather(int outer, int inner, bool keep) {
  int missed = 0;
  std::vector<void*> gathered;
  const auto free_all = [&] {
    for (void* block : gathered) EXPECT_TRUE(release(block));
    gathered.clear();
  };
  const Pass running;
  for (int i = 0; i < outer; ++i) {
    EXPECT_TRUE(release(allocate(40, 1)));
    for (int k = 0; k < inner; ++k) {
      void* block = allocate(100, 2);
      if (block != nullptr) gathered.push_back(block);
      missed += block == nullptr;
      EXPECT_TRUE(release(allocate(40, 3)));
    }
    if (!keep) free_all();
    EXPECT_TRUE(release(allocate(40, 4)));
  }
  free_all();
  return missed;
}

// The list goes round: what the outer iteration before gathered is free again.
TEST(NestedLoops, HaveListsThatBeginAnewWithEachOuterIteration) {
  serve(gathering(10));
  for (const int inner : {10, 7, 3, 10, 1}) EXPECT_EQ(gather(30, inner, false), 0) << inner;
}

// The list goes on where the inner loop is entered again: nothing that lives is in its way.
TEST(NestedLoops, HaveListsThatGoOnThroughTheOuterLoop) {
  serve(gathering(30));
  EXPECT_EQ(gather(6, 5, true), 0);
  EXPECT_EQ(gather(3, 10, true), 0);
  EXPECT_EQ(gather(8, 5, true), 10);
}

// A plan that ends with an iteration of both loops has something left wherever the pass stands.
TEST(NestedLoops, KeepThePassThatEndsWithThem) {
  const NestedPlan plan({loop(2, {at(1), loop(2, {at(2), at(3)})})});
  const std::uint64_t passes = statistics().passes;
  pass_begin(0, reinterpret_cast<const void*>(std::uintptr_t{1} << 20));
  for (int iteration = 0; iteration < 10; ++iteration) {
    pass_begin(0, reinterpret_cast<const void*>(std::uintptr_t{1} << 19));
    for (const std::uint64_t site : {1U, 2U, 3U, 2U, 3U}) EXPECT_TRUE(release(allocate(kCell, site)));
    pass_end();
  }
  pass_end();
  EXPECT_EQ(statistics().passes - passes, 1u);
}

}  // namespace
}  // namespace memo::runtime
