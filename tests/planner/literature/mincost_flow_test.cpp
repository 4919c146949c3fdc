// The assignment of take-overs is the cheapest there is: against every other one on small problems, and by
// hand.
#include "planner/literature/mincost_flow.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

Bytes cost_of(const Problem& problem, BufferIndex from, BufferIndex to) {
  if (from == to) return problem.buffers[to].size;
  return std::max<Bytes>(0, problem.buffers[to].size - problem.buffers[from].size);
}

Bytes total_cost(const Problem& problem, const std::vector<BufferIndex>& takeovers) {
  Bytes total = 0;
  for (BufferIndex i = 0; i < takeovers.size(); ++i) total += cost_of(problem, takeovers[i], i);
  return total;
}

// Tries every take-over of every buffer in turn.
Bytes least_cost(const Problem& problem, BufferIndex next, std::vector<bool>& taken) {
  if (next == problem.buffers.size()) return 0;
  Bytes least = problem.buffers[next].size + least_cost(problem, next + 1, taken);
  for (BufferIndex from = 0; from < problem.buffers.size(); ++from) {
    if (taken[from] || problem.buffers[from].life.end > problem.buffers[next].life.begin) continue;
    taken[from] = true;
    least = std::min(least, cost_of(problem, from, next) + least_cost(problem, next + 1, taken));
    taken[from] = false;
  }
  return least;
}

// c (4) comes first and would take a's 5 bytes for nothing; then d (6) would have to grow b by 3. Giving a to
// d costs 1, and b to c costs 1: the search for d's memory takes a away from c.
TEST(MincostFlow, ALaterBufferMayTakeAnObjectAwayAgain) {
  const Problem problem{.buffers = {{.life = {0, 1}, .size = 5},
                                    {.life = {0, 1}, .size = 3},
                                    {.life = {1, 2}, .size = 4},
                                    {.life = {1, 2}, .size = 6}},
                        .capacity = {}};
  const std::vector<BufferIndex> takeovers = cheapest_takeovers(problem, {});
  EXPECT_EQ(takeovers, (std::vector<BufferIndex>{0, 1, 1, 0}));
  EXPECT_EQ(object_bytes(problem, takeovers), 6 + 4);
}

// Growing a 1-byte object to 9 costs 8, a fresh one costs 9: reuse is never dearer.
TEST(MincostFlow, PrefersGrowingToAFreshObject) {
  const Problem problem{.buffers = {{.life = {0, 1}, .size = 1}, {.life = {1, 2}, .size = 9}},
                        .capacity = {}};
  EXPECT_EQ(cheapest_takeovers(problem, {}), (std::vector<BufferIndex>{0, 0}));
}

TEST(MincostFlow, NoAssignmentIsCheaper) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Problem problem = random_problem(seed, 7);
    std::vector<bool> taken(problem.buffers.size());
    EXPECT_EQ(total_cost(problem, cheapest_takeovers(problem, {})), least_cost(problem, 0, taken))
        << "seed " << seed;
  }
}

// No object is handed on twice, and never before its buffer has died; also beyond the size up to which all
// take-overs are looked at, and when the nodes run out.
TEST(MincostFlow, EveryTakeoverIsPossible) {
  const Problem problem = random_problem(1, 900);
  for (const std::uint64_t nodes : {0U, 50U, 1'000'000U}) {
    const std::vector<BufferIndex> takeovers = cheapest_takeovers(problem, {.nodes = nodes});
    std::vector<bool> taken(takeovers.size());
    for (BufferIndex i = 0; i < takeovers.size(); ++i) {
      const BufferIndex from = takeovers[i];
      if (from == i) continue;
      EXPECT_LE(problem.buffers[from].life.end, problem.buffers[i].life.begin);
      EXPECT_FALSE(taken[from]);
      taken[from] = true;
    }
  }
}

TEST(MincostFlow, TheSqueezeNeverRaisesTheObjects) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const Problem problem = random_problem(seed, 50);
    const Outcome outcome = kMincostFlow.solve(problem, {});
    EXPECT_TRUE(is_valid(problem, outcome.offsets)) << "seed " << seed;
    EXPECT_LE(outcome.height, object_bytes(problem, cheapest_takeovers(problem, {}))) << "seed " << seed;
  }
}

TEST(MincostFlow, MeetsAlignmentsAndFixedOffsets) {
  Problem problem = random_problem(5, 60, Alignments::kMixed);
  problem.buffers.push_back({.life = {10, 50}, .size = 64, .alignment = 64, .fixed = 128});
  EXPECT_TRUE(is_valid(problem, kMincostFlow.solve(problem, {}).offsets));
}

}  // namespace
}  // namespace memo::planner
