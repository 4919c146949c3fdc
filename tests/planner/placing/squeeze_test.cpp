// The scalable first fit under every order-based strategy: proves that it agrees with the plain scan over all
// placed buffers, and that squeezing a valid plan never lifts a buffer.
#include "planner/placing/squeeze.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/placing/placement.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

std::vector<BufferIndex> shuffled(const Problem& problem, std::uint32_t seed) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

TEST(FirstFit, AgreesWithTheScanOverAllPlacedBuffers) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed) * 3, Alignments::kMixed);
    const std::vector<BufferIndex> order = shuffled(problem, seed);
    EXPECT_EQ(FirstFit(problem).run(order), place_in_order(problem, order, Fit::kFirst)) << "seed " << seed;
  }
}

// The second run must not see what the first one placed.
TEST(FirstFit, ForgetsTheRunBefore) {
  const Problem problem = random_problem(7, 100);
  FirstFit first_fit(problem);
  const Offsets once = first_fit.run(shuffled(problem, 1));
  EXPECT_NE(first_fit.run(shuffled(problem, 2)), once);
  EXPECT_EQ(first_fit.run(shuffled(problem, 1)), once);
}

TEST(FirstFit, GivesUpAboveTheLimitAndNotAtIt) {
  const Problem problem = random_problem(3, 50);
  const std::vector<BufferIndex> order = all_indices(problem);
  FirstFit first_fit(problem);
  const Bytes reached = height(problem, first_fit.run(order));
  EXPECT_TRUE(first_fit.run(order, reached).has_value());
  EXPECT_FALSE(first_fit.run(order, reached - 1).has_value());
}

//   loose: c 8 . . . .        c fits between the fixed buffer (4..6) and nothing: below it, at 0.
//          b 4 . . f f        b (3 bytes, aligned to 2) shares no moment with the fixed one and lands on a.
//          a 1 a a a
TEST(Squeeze, DropsOntoWhatLiesBelowAndGoesAroundFixedBuffers) {
  const Problem problem{.buffers = {{.life = {0, 3}, .size = 1},
                                    {.life = {0, 2}, .size = 3, .alignment = 2},
                                    {.life = {3, 5}, .size = 4},
                                    {.life = {3, 5}, .size = 2, .fixed = 4}},
                        .capacity = {}};
  EXPECT_EQ(squeeze(problem, {1, 4, 8, 4}), (Offsets{0, 2, 0, 4}));
}

TEST(Squeeze, LiftsNoBufferOfAValidPlan) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Problem problem = random_problem(seed, 60, Alignments::kMixed);
    Offsets loose = FirstFit(problem).run(shuffled(problem, seed));
    for (Offset& offset : loose) offset *= 2;
    const Offsets squeezed = squeeze(problem, loose);
    EXPECT_TRUE(is_valid(problem, squeezed)) << "seed " << seed;
    for (std::size_t i = 0; i < loose.size(); ++i) EXPECT_LE(squeezed[i], loose[i]) << "seed " << seed;
  }
}

TEST(Squeeze, AnEmptyProblemIsZeroHigh) {
  EXPECT_TRUE(squeeze({}, {}).empty());
}

}  // namespace
}  // namespace memo::planner
