// Gergov's algorithm: the steps on paper-sized examples, and its guarantee of 3·LOAD on random problems.
#include "planner/solve/gergov.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/problem/bounds.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

// a falls on the ground and leaves three segments open: ground before 0, 2 over [0,4), ground from 4 on. b
// reaches into two of them, so the ground from 4 on is closed first; then only a's top is open, and b falls
// on it, sticking out to the right.
TEST(Gergov, ABufferFallsOnTheOnlyOpenSegmentItReaches) {
  const Problem problem{.buffers = {{.life = {0, 4}, .size = 2}, {.life = {2, 6}, .size = 3}},
                        .capacity = {}};
  EXPECT_EQ(gergov_loose_plan(problem), (Offsets{0, 2}));
}

// Touching lifetimes are no conflict: all three lie on the ground.
TEST(Gergov, TouchingLifetimesShareTheGround) {
  const Problem problem{
      .buffers = {{.life = {0, 2}, .size = 5}, {.life = {2, 3}, .size = 7}, {.life = {3, 9}, .size = 1}},
      .capacity = {}};
  EXPECT_EQ(gergov_loose_plan(problem), (Offsets{0, 0, 0}));
}

// l, m and r (2, 1 and 2 bytes) fall on the ground. The lowest top is m's, but b and c each reach one of its
// neighbours too: it is closed. Then b falls on l and c on r, both at base 2, both sticking out over m, where
// they collide: c moves up by one layer of h* = 2 + 3.
//
//      |  +-----b----+            base    l 0   m 0   r 0   b 2   c 2
//      |  |     +----|-c--+       plan    l 0   m 0   r 0   b 2   c 2+5
//      | +--l--+     +--r--+
//      | |     +--m--+     |      The squeeze then drops c onto b, to 5.
TEST(Gergov, CollidingBuffersGetDifferentColours) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 2},
                                    {.life = {2, 4}, .size = 1},
                                    {.life = {4, 6}, .size = 2},
                                    {.life = {1, 4}, .size = 3},
                                    {.life = {3, 5}, .size = 3}},
                        .capacity = {}};
  EXPECT_EQ(gergov_loose_plan(problem), (Offsets{0, 0, 0, 2, 7}));
  EXPECT_EQ(kGergov.solve(problem, {}).offsets, (Offsets{0, 0, 0, 2, 5}));
}

TEST(Gergov, KeepsItsGuaranteeWithUnitAlignment) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed) % 120);
    const Offsets loose = gergov_loose_plan(problem);
    EXPECT_TRUE(is_valid(problem, loose)) << "seed " << seed;
    EXPECT_LE(height(problem, loose), 3 * peak_live_bytes(problem)) << "seed " << seed;
    EXPECT_LE(kGergov.solve(problem, {}).height, height(problem, loose)) << "seed " << seed;
  }
}

// Powers of two divide each other: the guarantee holds for the sizes rounded up to the largest of them.
TEST(Gergov, KeepsItsGuaranteeOnRoundedSizesWithMixedAlignments) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, 80, Alignments::kMixed);
    Problem rounded = problem;
    for (Buffer& buffer : rounded.buffers) buffer.size = align_up(buffer.size, 64);
    const Outcome outcome = kGergov.solve(problem, {});
    EXPECT_TRUE(is_valid(problem, outcome.offsets)) << "seed " << seed;
    EXPECT_LE(outcome.height, 3 * peak_live_bytes(rounded)) << "seed " << seed;
  }
}

// 4 and 6 divide neither: the squeeze alone sees to them.
TEST(Gergov, PlacesAlignmentsWithoutACommonMultipleAmongThem) {
  const Problem problem{.buffers = {{.life = {0, 4}, .size = 5, .alignment = 4},
                                    {.life = {1, 5}, .size = 5, .alignment = 6},
                                    {.life = {2, 6}, .size = 5, .fixed = 100}},
                        .capacity = {}};
  EXPECT_TRUE(is_valid(problem, kGergov.solve(problem, {}).offsets));
}

}  // namespace
}  // namespace memo::planner
