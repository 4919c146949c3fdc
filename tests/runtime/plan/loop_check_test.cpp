// The check of a plan's loops.
#include "runtime/plan/loop_check.h"

#include <gtest/gtest.h>

#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"
#include "tests/runtime/plan/plan_bytes.h"

namespace memo::runtime {
namespace {

using namespace testing;

// Every index that the arena uses when a pass goes round is inside the variant.
TEST(LoopCheck, RefusesLoopsOverWhatIsNotThere) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = std::vector<PlanSlotDescription>(9, cell_slot(1, 40, 0)),
                    .loops = {{.first_slot = 1, .end_slot = 5, .slots = 2}}}};
  plan.variants[0].scopes =
      std::vector<PlanScopeDescription>(3, {.name = "op", .first_slot = 1, .end_slot = 2});
  const auto with = [&](const planner::PlanLoopDescription& loop) {
    PlanDescription changed = plan;
    changed.variants[0].loops.push_back(loop);
    return complaint(planner::encode_plan(changed));
  };
  EXPECT_EQ(complaint(planner::encode_plan(plan)), "");
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 1, .first_scope = 0, .end_scope = 0, .scopes = 0}),
            "");
  const std::string refused = "loop 1 goes over slots or scopes that are not there, or over those of another";
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 10, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 3}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 0}), refused);
  EXPECT_EQ(with({.first_slot = 4, .end_slot = 8, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 7, .end_slot = 7, .slots = 1}), refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 1, .end_scope = 4, .scopes = 1}),
            refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 0, .end_scope = 3, .scopes = 1}),
            refused);
  EXPECT_EQ(with({.first_slot = 5, .end_slot = 9, .slots = 2, .first_scope = 3, .end_scope = 1, .scopes = 1}),
            refused);
  plan.variants[0].loops.assign(kMaxLoops + 1, {.first_slot = 8, .end_slot = 9, .slots = 1});
  EXPECT_NE(complaint(planner::encode_plan(plan)), "");
}

// An inner loop lies in one iteration of the outer one, and comes after it.
TEST(LoopCheck, RefusesLoopsThatCross) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {
      {.slots = std::vector<PlanSlotDescription>(20, cell_slot(1, 40, 0)),
       .loops = {
           {.first_slot = 2, .end_slot = 18, .slots = 8, .first_scope = 1, .end_scope = 9, .scopes = 4}}}};
  plan.variants[0].scopes =
      std::vector<PlanScopeDescription>(12, {.name = "op", .first_slot = 2, .end_slot = 3});
  const auto with = [&](const std::vector<planner::PlanLoopDescription>& loops) {
    PlanDescription changed = plan;
    for (const planner::PlanLoopDescription& loop : loops) changed.variants[0].loops.push_back(loop);
    return complaint(planner::encode_plan(changed));
  };
  const planner::PlanLoopDescription inner{
      .first_slot = 3, .end_slot = 9, .slots = 3, .first_scope = 1, .end_scope = 5, .scopes = 2};
  const planner::PlanLoopDescription later{
      .first_slot = 10, .end_slot = 18, .slots = 4, .first_scope = 6, .end_scope = 6, .scopes = 0};
  EXPECT_EQ(with({}), "");
  EXPECT_EQ(with({inner}), "");
  EXPECT_EQ(with({inner, later}), "");
  EXPECT_EQ(
      with({inner,
            {.first_slot = 3, .end_slot = 6, .slots = 3, .first_scope = 1, .end_scope = 3, .scopes = 2}}),
      "");
  const auto refused = [&](planner::PlanLoopDescription changed) { return !with({changed}).empty(); };
  planner::PlanLoopDescription wrong = inner;
  wrong.first_slot = 5, wrong.end_slot = 11;  // goes over the end of an iteration
  EXPECT_TRUE(refused(wrong));
  wrong = inner;
  wrong.first_slot = 1, wrong.end_slot = 7;  // begins before the outer loop
  EXPECT_TRUE(refused(wrong));
  wrong = inner;
  wrong.first_slot = 15, wrong.end_slot = 18, wrong.first_scope = 7, wrong.end_scope = 9;
  EXPECT_FALSE(refused(wrong));
  wrong.first_slot = 15, wrong.end_slot = 19, wrong.slots = 4;  // ends behind it
  EXPECT_TRUE(refused(wrong));
  wrong = inner;
  wrong.first_scope = 3, wrong.end_scope = 7;  // has scopes of two iterations
  EXPECT_TRUE(refused(wrong));
  wrong.first_scope = 5, wrong.end_scope = 9;  // has the scopes of another iteration
  EXPECT_TRUE(refused(wrong));
  wrong.first_scope = 0, wrong.end_scope = 4;  // has a scope of none
  EXPECT_TRUE(refused(wrong));
  EXPECT_NE(with({later, inner}), "");
  wrong = later;
  wrong.first_slot = 8, wrong.end_slot = 9, wrong.slots = 1;  // crosses the inner one
  EXPECT_NE(with({inner, wrong}), "");
  // Follows an inner loop by its slots, but not by its scopes.
  const planner::PlanLoopDescription back{
      .first_slot = 9, .end_slot = 10, .slots = 1, .first_scope = 4, .end_scope = 5, .scopes = 1};
  EXPECT_NE(with({inner, back}), "");
}

TEST(LoopCheck, RefusesMoreLoopsInEachOtherThanItCanFollow) {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = std::vector<PlanSlotDescription>(64, cell_slot(1, 40, 0))}};
  std::uint32_t slots = 32;
  for (std::uint32_t depth = 1; depth <= kMaxLoopDepth; ++depth, slots /= 2) {
    plan.variants[0].loops.push_back({.first_slot = 0, .end_slot = 2 * slots, .slots = slots});
    EXPECT_EQ(complaint(planner::encode_plan(plan)), "") << depth;
  }
  plan.variants[0].loops.push_back({.first_slot = 0, .end_slot = 2 * slots, .slots = slots});
  EXPECT_NE(complaint(planner::encode_plan(plan)), "");
}

}  // namespace
}  // namespace memo::runtime
