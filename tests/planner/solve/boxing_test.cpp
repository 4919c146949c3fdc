// Boxing: rows, boxes, and the strategy they feed. Proves that orders are complete and repeatable, that equal
// sizes are solved optimally, and that thousands of buffers are no obstacle.
#include "planner/solve/boxing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/check/check.h"
#include "planner/placing/squeeze.h"
#include "planner/solve/boxes.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/interval_rows.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

//     row 1      +--b--+        +--d--+        c takes the row that a left at 3; d finds row 0 taken, row 1 free.
//     row 0   +--a--+  +---c------+
TEST(IntervalRows, EachTakesTheLowestFreeRow) {
  const std::vector<Lifetime> lives{{0, 3}, {1, 4}, {3, 9}, {7, 10}};
  EXPECT_EQ(interval_rows(lives), (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

TEST(IntervalRows, NeedAsManyRowsAsEverLiveAtOnce) {
  Problem problem = random_problem(4, 300);
  std::vector<Lifetime> lives;
  for (Buffer& buffer : problem.buffers) {
    buffer.size = 1;
    lives.push_back(buffer.life);
  }
  const std::vector<std::uint32_t> rows = interval_rows(lives);
  EXPECT_EQ(*std::max_element(rows.begin(), rows.end()) + 1, peak_live_bytes(problem));
}

// 40 jobs of 1,000 to 1,039 bytes that share a moment are too few for boxes: they are all peeled off, and rows of
// them make boxes. Whatever the boxes, all 40 live at once, so their loose offsets must differ.
TEST(Boxes, JobsThatLiveAtOnceNeverShareALooseOffset) {
  Problem problem;
  for (Time i = 0; i < 40; ++i)
    problem.buffers.push_back({.life = {i, 100 - i}, .size = 1000 + i, .fixed = {}});
  problem.buffers.push_back({.life = {0, 100}, .size = 3'000'000, .fixed = {}});
  Boxes boxes(problem);
  Random random(1);
  Offsets loose = boxes.loose_offsets(boxes.slacks().low, random);
  std::sort(loose.begin(), loose.end());
  EXPECT_EQ(std::adjacent_find(loose.begin(), loose.end()), loose.end());
}

// 30,000 small jobs alive at one moment are peeled and cut into strips; whatever is not boxed twice must still be
// there once.
TEST(Boxes, ACrowdedMomentIsCutIntoStrips) {
  Problem problem;
  for (Time i = 0; i < 30'000; ++i) {
    problem.buffers.push_back({.life = {i % 500, 1000 + i % 700}, .size = 64 + i % 5, .fixed = {}});
  }
  problem.buffers.push_back({.life = {0, 2000}, .size = 1'000'000'000, .fixed = {}});
  Boxes boxes(problem);
  Random random(1);
  const Boxes::Range range = boxes.slacks();
  const Offsets loose = boxes.loose_offsets((range.low + range.high) / 2, random);
  EXPECT_EQ(loose.size(), problem.buffers.size());
  const Offsets squeezed = squeeze(problem, loose);
  EXPECT_LE(height(problem, squeezed), peak_live_bytes(problem) * 11 / 10);
}

TEST(Boxing, EqualSizesAreSolvedOptimally) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Problem problem = random_problem(seed, 80);
    for (Buffer& buffer : problem.buffers) buffer.size = 12;
    EXPECT_EQ(kBoxing.solve(problem, {}).status, Status::kOptimal) << "seed " << seed;
  }
}

TEST(Boxing, NeverEndsAboveFirstFitBySize) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Problem problem = random_problem(seed, 120, Alignments::kMixed);
    const Outcome outcome = kBoxing.solve(problem, {.nodes = 5'000});
    EXPECT_TRUE(is_valid(problem, outcome.offsets)) << "seed " << seed;
    EXPECT_LE(outcome.height, height(problem, FirstFit(problem).run(size_order(problem)))) << "seed " << seed;
  }
}

TEST(Boxing, TheSameSeedGivesTheSamePlan) {
  const Problem problem = random_problem(8, 200);
  const Limits limits{.nodes = 4'000, .seed = 3};
  EXPECT_EQ(kBoxing.solve(problem, limits).offsets, kBoxing.solve(problem, limits).offsets);
}

TEST(Boxing, TakesThousandsOfBuffersWithFixedOnesAmongThem) {
  Problem problem = random_problem(2, 10'000, Alignments::kMixed);
  problem.buffers.push_back({.life = {0, 40'000}, .size = 4096, .alignment = 4096, .fixed = 8192});
  const Outcome outcome = kBoxing.solve(problem, {.nodes = 30'000});
  EXPECT_TRUE(check_by_sweep(problem, outcome.offsets).valid());
}

}  // namespace
}  // namespace memo::planner
