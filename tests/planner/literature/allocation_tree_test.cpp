// Inductor's tree as published and improved, on examples that show the difference.
#include "planner/literature/allocation_tree.h"

#include <gtest/gtest.h>

#include "planner/literature/allocation_tree_improved.h"
#include "planner/solve/greedy_size.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

Offsets tree_plan(const Problem& problem, Children children) {
  return *allocation_tree_plan(problem, size_order(problem), {}, children);
}

// x overlaps a and b, which follow each other on the same bytes of a stretch that c made larger. Inductor's tree
// gives up and puts x above everything; merged, x goes into the room above both.
const Problem kTwoInTheWay{.buffers = {{.life = {0, 2}, .size = 10},
                                       {.life = {2, 4}, .size = 6},
                                       {.life = {4, 6}, .size = 5},
                                       {.life = {3, 5}, .size = 4}},
                           .capacity = {}};

TEST(AllocationTree, GivesUpWhereSeveralChildrenAreInTheWay) {
  EXPECT_EQ(tree_plan(kTwoInTheWay, Children::kAlone), (Offsets{0, 0, 0, 10}));
  EXPECT_EQ(kAllocationTree.solve(kTwoInTheWay, {}).height, 14);
}

TEST(AllocationTreeImproved, MergesTheChildrenInTheWay) {
  EXPECT_EQ(tree_plan(kTwoInTheWay, Children::kMerged), (Offsets{0, 0, 0, 6}));
  EXPECT_EQ(kAllocationTreeImproved.solve(kTwoInTheWay, {}).status, Status::kOptimal);
}

// A stretch is cut at the ends of a gap, and other buffers of the same children may lie across.
TEST(AllocationTreeImproved, CutsNoBufferThatLivesAtAnotherTime) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed % 70));
    EXPECT_TRUE(is_valid(problem, tree_plan(problem, Children::kMerged))) << "seed " << seed;
  }
}

TEST(AllocationTreeImproved, IsNeverAboveTheTreeAsPublished) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Problem problem = random_problem(seed, 1 + static_cast<int>(seed));
    EXPECT_LE(kAllocationTreeImproved.solve(problem, {}).height, kAllocationTree.solve(problem, {}).height)
        << "seed " << seed;
  }
}

TEST(AllocationTreeImproved, TakesEqualAlignments) {
  Problem problem = random_problem(3, 60);
  for (Buffer& buffer : problem.buffers) buffer.alignment = 64;
  EXPECT_TRUE(is_valid(problem, kAllocationTreeImproved.solve(problem, {}).offsets));
}

}  // namespace
}  // namespace memo::planner
