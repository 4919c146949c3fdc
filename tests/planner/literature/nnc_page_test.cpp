// The candidates of the NNC page, on examples small enough to follow edge by edge.
#include "planner/literature/nnc_page.h"

#include <gtest/gtest.h>

#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

Offsets loose_plan(const Problem& problem) {
  Budget budget = Budget::of_time({});
  return *nnc_page_loose_plan(problem, budget);
}

// Nothing overlaps, so all have no edges, and the largest tuple of three comes first: it opens 9 bytes, and each
// takes its bytes from those before it. The fourth finds an edge between two of them.
TEST(NncPage, ATupleOfThreeSharesTheBytesOfItsLargest) {
  const Problem problem{.buffers = {{.life = {0, 1}, .size = 9},
                                    {.life = {2, 3}, .size = 8},
                                    {.life = {4, 5}, .size = 7},
                                    {.life = {3, 4}, .size = 6}},
                        .capacity = {}};
  EXPECT_EQ(loose_plan(problem), (Offsets{0, 0, 0, 0}));
}

// b (size 5) overlaps a and c; both have fewer edges. b pairs with d, which is larger, and the two open 9 bytes. Then
// a and c do not fit between b and d in time, so each opens bytes of its own, or shares those of the other.
TEST(NncPage, TheBufferWithMostEdgesComesFirstWithALargerOne) {
  const Problem problem{.buffers = {{.life = {0, 3}, .size = 4},
                                    {.life = {1, 5}, .size = 5},
                                    {.life = {4, 6}, .size = 3},
                                    {.life = {6, 8}, .size = 9}},
                        .capacity = {}};
  const Offsets offsets = loose_plan(problem);
  EXPECT_EQ(offsets[1], 0);
  EXPECT_EQ(offsets[3], 0);
  EXPECT_EQ(offsets[0], 9);
  EXPECT_EQ(offsets[2], 9) << "a and c never live together and are a pair";
}

// p (10), q (10) and e (8) live apart and open 10 bytes. x (4) and y (6) live between p and q; x takes 4 of the 10
// that flow, and y, which lives beside x, takes the 6 that are left.
TEST(NncPage, TwoBuffersShareTheBytesThatFlowBetweenTwoOthers) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 10},
                                    {.life = {6, 9}, .size = 10},
                                    {.life = {2, 5}, .size = 4},
                                    {.life = {3, 6}, .size = 6}},
                        .capacity = {}};
  EXPECT_EQ(height(problem, kNncPage.solve(problem, {}).offsets), 10);
}

TEST(NncPage, TheLoosePlanIsValidAndTheSqueezeNeverHigher) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed));
    const Offsets loose = loose_plan(problem);
    EXPECT_TRUE(is_valid(problem, loose)) << "seed " << seed;
    EXPECT_LE(kNncPage.solve(problem, {}).height, height(problem, loose)) << "seed " << seed;
  }
}

TEST(NncPage, StopsWhenTheTimeIsUp) {
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(kNncPage.solve(random_problem(1, 300), {.cancel = &cancelled}).status, Status::kTimeout);
}

}  // namespace
}  // namespace memo::planner
