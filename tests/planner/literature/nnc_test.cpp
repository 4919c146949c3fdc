// The flow of idle bytes, on examples small enough to follow edge by edge.
#include "planner/literature/nnc.h"

#include <gtest/gtest.h>

#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

// a (40 bytes) opens the group. b (30) takes 30 of the 40 bytes that flow from the start into a; the edge
// keeps 10 at offset 30, and c (10), which lives beside b, takes exactly these.
TEST(Nnc, SplitsTheBytesThatFlowIntoALaterBuffer) {
  const Problem problem{
      .buffers = {{.life = {2, 4}, .size = 40}, {.life = {0, 2}, .size = 30}, {.life = {1, 2}, .size = 10}},
      .capacity = {}};
  EXPECT_EQ(nnc_loose_plan(problem), (Offsets{0, 0, 30}));
}

// a and b share group 1, c opens group 2 at 9. d fits both between a and b, where no time is lost, and behind
// c: the tight slot wins. e lives beside d, finds only 4 bytes left there, and goes behind c.
TEST(Nnc, PrefersTheSlotThatIsTightestInTime) {
  const Problem problem{.buffers = {{.life = {0, 10}, .size = 9},
                                    {.life = {12, 20}, .size = 9},
                                    {.life = {0, 2}, .size = 8},
                                    {.life = {10, 12}, .size = 5},
                                    {.life = {11, 12}, .size = 5}},
                        .capacity = {}};
  EXPECT_EQ(nnc_loose_plan(problem), (Offsets{0, 0, 9, 0, 9}));
}

TEST(Nnc, TheLoosePlanIsValidAndTheSqueezeNeverHigher) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed));
    const Offsets loose = nnc_loose_plan(problem);
    EXPECT_TRUE(is_valid(problem, loose)) << "seed " << seed;
    EXPECT_LE(kNnc.solve(problem, {}).height, height(problem, loose)) << "seed " << seed;
  }
}

TEST(Nnc, MeetsAlignmentsAndFixedOffsets) {
  Problem problem = random_problem(5, 60, Alignments::kMixed);
  problem.buffers.push_back({.life = {10, 50}, .size = 64, .alignment = 64, .fixed = 128});
  EXPECT_TRUE(is_valid(problem, kNnc.solve(problem, {}).offsets));
}

}  // namespace
}  // namespace memo::planner
