// The networks of the comparison are the published ones: their sums and bounds, which Pisarchyk & Lee report to
// three decimals, tell.
#include "tests/bench/networks/networks.h"

#include <gtest/gtest.h>

#include "planner/literature/shared_objects.h"
#include "tests/bench/networks/graph.h"

namespace memo::bench {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kRounding = 0.0006;

double naive(const planner::Problem& problem) {
  double total = 0;
  for (const planner::Buffer& buffer : problem.buffers) total += static_cast<double>(buffer.size);
  return total / kMiB;
}

double peak(const planner::Problem& problem) {
  return static_cast<double>(planner::peak_live_bytes(problem)) / kMiB;
}

double objects_bound(const planner::Problem& problem) {
  return static_cast<double>(planner::shared_objects_bound(problem)) / kMiB;
}

// a is read by b and c, b by c only: a and b live until c has been made.
TEST(Graph, ATensorLivesUntilItsLastReader) {
  Graph graph;
  const Tensor a = graph.add({2, 3, 4}, {});
  const Tensor b = graph.add({1, 1, 1}, {a});
  graph.output(graph.add({1, 1, 2}, {a, b}));
  const std::vector<planner::Buffer> buffers = graph.problem().buffers;
  EXPECT_EQ(buffers[a].size, 2 * 3 * 4 * 4);
  EXPECT_EQ(buffers[a].life, (planner::Lifetime{0, 3}));
  EXPECT_EQ(buffers[b].life, (planner::Lifetime{1, 3}));
  EXPECT_EQ(buffers[2].life, (planner::Lifetime{2, 4}));
}

TEST(Networks, MobilenetsAreThePublishedGraphs) {
  for (const Network& network : networks().first(2)) {
    SCOPED_TRACE(network.name);
    EXPECT_NEAR(naive(network.make()), network.published_naive, kRounding);
    EXPECT_NEAR(peak(network.make()), network.offsets.lower_bound, kRounding);
    EXPECT_NEAR(objects_bound(network.make()), network.objects.lower_bound, kRounding);
  }
}

TEST(Networks, DeeplabHasThePublishedBounds) {
  const Network& deeplab = networks()[2];
  EXPECT_NEAR(peak(deeplab.make()), deeplab.offsets.lower_bound, kRounding);
  EXPECT_NEAR(objects_bound(deeplab.make()), deeplab.objects.lower_bound, kRounding);
}

TEST(Networks, InceptionAndPosenetHaveThePublishedOffsetBound) {
  for (const Network& network : networks().subspan(3, 2)) {
    EXPECT_NEAR(peak(network.make()), network.offsets.lower_bound, kRounding) << network.name;
  }
}

}  // namespace
}  // namespace memo::bench
