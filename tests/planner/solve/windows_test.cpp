// Windows finds what trying every place one by one finds; PlacedBuffers lists what comparing with every buffer lists.
#include "planner/solve/windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "planner/placing/random.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

constexpr Bytes kHeight = 1'500;

// Places two in three buffers anywhere, so that some lie on each other, and takes some of them back.
struct Scene {
  explicit Scene(std::uint32_t seed)
      : problem(random_problem(seed, 70, Alignments::kMixed)),
        placed(problem),
        losses(problem.buffers.size()) {
    Random random(seed);
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      losses[i] = {.fixed = random.below(20) == 0 ? 1 : 0,
                   .weight = static_cast<Weight>(1 + random.below(50))};
      if (random.below(3) > 0) placed.place(i, static_cast<Offset>(random.below(kHeight)));
    }
    for (BufferIndex i = 0; i < problem.buffers.size(); i += 7) placed.take_back(i);
  }

  [[nodiscard]] Wish wish(BufferIndex i) const {
    return {.size = problem.buffers[i].size, .alignment = problem.buffers[i].alignment, .height = kHeight};
  }
  [[nodiscard]] std::vector<BufferIndex> alive_with(BufferIndex i) const {
    std::vector<BufferIndex> others;
    for (BufferIndex other = 0; other < problem.buffers.size(); ++other) {
      if (placed.offsets()[other] >= 0 && problem.buffers[other].life.overlaps(problem.buffers[i].life))
        others.push_back(other);
    }
    return others;
  }
  [[nodiscard]] Loss loss_at(BufferIndex i, Offset begin) const {
    Loss loss;
    for (const BufferIndex other : alive_with(i)) {
      const Offset there = placed.offsets()[other];
      if (there >= begin + problem.buffers[i].size || there + problem.buffers[other].size <= begin) continue;
      loss.fixed += losses[other].fixed;
      loss.weight += losses[other].weight;
    }
    return loss;
  }
  [[nodiscard]] Loss least_loss(BufferIndex i) const {
    Loss least{.fixed = std::numeric_limits<std::int64_t>::max()};
    for (Offset at = 0; at + problem.buffers[i].size <= kHeight; at += problem.buffers[i].alignment)
      least = std::min(least, loss_at(i, at));
    return least;
  }

  Problem problem;
  PlacedBuffers placed;
  std::vector<Loss> losses;
};

TEST(PlacedBuffers, ListsThoseAliveInTheOrderOfTheirBegins) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    Scene scene(seed);
    for (BufferIndex i = 0; i < scene.problem.buffers.size(); ++i) {
      std::vector<BufferIndex> listed;
      Offset before = 0;
      for (const PlacedBuffers::Extent& extent : scene.placed.alive_with(i)) {
        EXPECT_LE(before, extent.begin);
        EXPECT_EQ(extent.begin, scene.placed.offsets()[extent.buffer]);
        EXPECT_EQ(extent.end, extent.begin + scene.problem.buffers[extent.buffer].size);
        before = extent.begin;
        listed.push_back(extent.buffer);
      }
      std::sort(listed.begin(), listed.end());
      EXPECT_EQ(listed, scene.alive_with(i)) << "seed " << seed << ", buffer " << i;
    }
  }
}

TEST(Windows, FindsTheLeastLossOfAllPlaces) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    Scene scene(seed);
    Windows windows;
    for (BufferIndex i = 0; i < scene.problem.buffers.size(); ++i) {
      const auto window = windows.cheapest(scene.placed.alive_with(i), scene.losses, scene.wish(i));
      ASSERT_EQ(window.has_value(), scene.wish(i).size <= kHeight) << "seed " << seed << ", buffer " << i;
      if (!window) continue;
      EXPECT_EQ(window->loss, scene.loss_at(i, window->begin)) << "seed " << seed << ", buffer " << i;
      EXPECT_EQ(window->loss, scene.least_loss(i)) << "seed " << seed << ", buffer " << i;
      EXPECT_EQ(window->begin % scene.wish(i).alignment, 0);
    }
  }
}

TEST(Windows, FindsAGapExactlyWhereThereIsOne) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    Scene scene(seed);
    for (BufferIndex i = 0; i < scene.problem.buffers.size(); ++i) {
      const auto gap = Windows::tightest_gap(scene.placed.alive_with(i), scene.wish(i));
      const bool is_free = scene.wish(i).size <= kHeight && scene.least_loss(i) == Loss{};
      ASSERT_EQ(gap.has_value(), is_free) << "seed " << seed << ", buffer " << i;
      if (gap.has_value()) {
        EXPECT_EQ(scene.loss_at(i, *gap), Loss{});
      }
    }
  }
}

TEST(Windows, TakesTheTightestOfTwoGaps) {
  const std::vector<PlacedBuffers::Extent> placed = {{8, 10, 0}, {13, 20, 1}};
  EXPECT_EQ(Windows::tightest_gap(placed, {.size = 2, .alignment = 1, .height = 30}), 10);
  EXPECT_EQ(Windows::tightest_gap(placed, {.size = 4, .alignment = 1, .height = 30}), 0);
  EXPECT_EQ(Windows::tightest_gap(placed, {.size = 9, .alignment = 1, .height = 30}), 20);
  EXPECT_FALSE(Windows::tightest_gap(placed, {.size = 11, .alignment = 1, .height = 30}));
}

}  // namespace
}  // namespace memo::planner
