// The networks of the comparison are the published ones: their sums and bounds, which Pisarchyk & Lee report to
// three decimals, tell.
#include "tests/bench/networks/networks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

#include "planner/literature/shared_objects.h"
#include "tests/bench/networks/graph.h"
#include "tests/bench/networks/published_cells.h"
#include "tests/planner/registry/oracles/every_strategy.h"

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

// Fails when a strategy leaves the published figures for a reason that nobody has written down.
void expect_reasons(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    for (const Cell& cell : row.cells) {
      EXPECT_TRUE(cell.agrees() || !cell.reason.empty())
          << row.network << ", " << cell.column << ": " << cell.ours << " bytes, published "
          << cell.published;
    }
  }
}

TEST(PublishedTables, EveryCellThatDiffersHasItsReason) {
  expect_reasons(shared_objects_table());
  expect_reasons(offsets_table());
}

// All figures of the paper for the two MobileNets come out, but for one, where ours is lower.
TEST(PublishedTables, StrategiesReachThePublishedHeightsOfTheMobilenets) {
  for (const std::vector<Row>& table : {shared_objects_table(), offsets_table()}) {
    for (const Row& row : std::span(table).first(2)) {
      for (const Cell& cell : row.cells) {
        const bool lower = row.network == "MobileNet v2" && cell.column == "shared-size-improved";
        EXPECT_EQ(cell.agrees(), !lower) << row.network << ", " << cell.column;
        EXPECT_LT(static_cast<double>(cell.ours) / kMiB, cell.published + (lower ? 0 : kRounding * 2));
      }
    }
  }
}

// Table 2's column "Greedy (Lee et al.)": all five graphs whose bound for offsets is the paper's.
TEST(PublishedTables, TheOrderOfExecutionReachesFiveOfFive) {
  const std::vector<Row> table = offsets_table();
  for (const Row& row : std::span(table).first(5)) {
    const auto cell = std::find_if(row.cells.begin(), row.cells.end(),
                                   [](const Cell& each) { return each.column == "greedy-execution"; });
    ASSERT_NE(cell, row.cells.end());
    EXPECT_TRUE(cell->agrees()) << row.network << ": " << cell->ours;
  }
}

// SqueezeNet 1.0 (Iandola et al. 2016) on 128x128: squeezed features fan out into two convolutions that meet again.
Tensor fire(Graph& graph, Tensor x, int squeezed, int expanded) {
  const Shape in = graph.shape(x);
  const Tensor narrow = graph.add({in.height, in.width, squeezed}, {x});
  const Tensor one = graph.add({in.height, in.width, expanded}, {narrow});
  const Tensor three = graph.add({in.height, in.width, expanded}, {narrow});
  return graph.add({in.height, in.width, 2 * expanded}, {one, three});
}

planner::Problem squeezenet() {
  Graph graph;
  Tensor x = graph.add({30, 30, 96}, {graph.add({61, 61, 96}, {})});
  for (const auto& [squeezed, expanded] : {std::pair{16, 64}, {16, 64}, {32, 128}})
    x = fire(graph, x, squeezed, expanded);
  x = graph.add({15, 15, 256}, {x});
  for (const auto& [squeezed, expanded] : {std::pair{32, 128}, {48, 192}, {48, 192}, {64, 256}})
    x = fire(graph, x, squeezed, expanded);
  x = graph.add({7, 7, 512}, {x});
  graph.output(graph.add({7, 7, 1000}, {fire(graph, x, 64, 256)}));
  return graph.problem();
}

double over_bound(const char* strategy, const planner::Problem& problem) {
  const planner::Outcome outcome = planner::find_any(strategy)->solve(problem, {});
  return static_cast<double>(outcome.height) / static_cast<double>(outcome.lower_bound) - 1;
}

// The tree as published ends 6 to 46 % over the bound on all of these but one.
TEST(AllocationTreeImproved, IsWithinFivePercentOfTheBound) {
  EXPECT_LT(over_bound("allocation-tree-improved", squeezenet()), 0.05);
  for (const Network& network : networks()) {
    const bool deeplab = network.name == "DeepLab v3";  // its largest tensors leave gaps in any order by size
    EXPECT_LT(over_bound("allocation-tree-improved", network.make()), deeplab ? 0.08 : 0.05) << network.name;
  }
}

// What the paper says of its networks holds for every problem here.
TEST(PublishedTables, ImprovedIsNeverWorseThanBySize) {
  for (const Network& network : networks()) {
    const planner::Problem problem = network.make();
    EXPECT_LE(planner::find_any("shared-size-improved")->solve(problem, {}).height,
              planner::find_any("shared-size")->solve(problem, {}).height)
        << network.name;
  }
}

}  // namespace
}  // namespace memo::bench
