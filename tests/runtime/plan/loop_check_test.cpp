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

}  // namespace
}  // namespace memo::runtime
