// The life of a block in loops and in loops in loops, as `freed_at` tells it.
#include "runtime/formats/slot_life.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "runtime/formats/plan_format.h"

namespace memo {
namespace {

using Life = std::pair<std::uint32_t, std::uint32_t>;

Life life(const std::vector<PlanLoop>& loops, std::uint32_t slot, std::uint32_t freed_at) {
  const SlotLife found = slot_life(loops, slot, freed_at);
  return {found.begin, found.end};
}

TEST(SlotLife, IsPlainWithoutALoopAround) {
  EXPECT_EQ(life({}, 3, 7), Life(3, 7));
  EXPECT_EQ(life({{.first_slot = 4, .end_slot = 8, .slots = 2}}, 3, 6), Life(3, 6));
}

TEST(SlotLife, CoversALoopThatTheBlockLeavesOrGoesRoundIn) {
  const std::vector<PlanLoop> loops = {{.first_slot = 2, .end_slot = 8, .slots = 3}};
  EXPECT_EQ(life(loops, 3, 4), Life(3, 4));
  EXPECT_EQ(life(loops, 3, 8), Life(3, 8));
  EXPECT_EQ(life(loops, 3, 9), Life(2, 9));
  EXPECT_EQ(life(loops, 3, 2), Life(2, 8));
  EXPECT_EQ(life(loops, 3, 0), Life(2, 8));
}

// The plan of the drawing in the header.
TEST(SlotLife, CoversTheLoopThatItConcernsOfLoopsInLoops) {
  const std::vector<PlanLoop> loops = {{.first_slot = 1, .end_slot = 9, .slots = 4},
                                       {.first_slot = 2, .end_slot = 4, .slots = 1},
                                       {.first_slot = 6, .end_slot = 8, .slots = 1}};
  EXPECT_EQ(life(loops, 3, 4), Life(3, 4));
  EXPECT_EQ(life(loops, 3, 5), Life(2, 5));
  EXPECT_EQ(life(loops, 3, 3), Life(2, 4));
  EXPECT_EQ(life(loops, 3, 2), Life(2, 4));
  EXPECT_EQ(life(loops, 3, 1), Life(1, 9));
  EXPECT_EQ(life(loops, 3, 9), Life(2, 9));
  EXPECT_EQ(life(loops, 3, 10), Life(1, 10));
  EXPECT_EQ(life(loops, 1, 5), Life(1, 5));
  EXPECT_EQ(life(loops, 5, 1), Life(1, 9));
}

}  // namespace
}  // namespace memo
