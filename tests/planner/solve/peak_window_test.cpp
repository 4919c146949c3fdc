// The window around the peak: what it places is valid and within the height, and holds all that is alive at the peak.
#include "planner/solve/peak_window.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/problem/bounds.h"
#include "tests/planner/plans.h"

namespace memo::planner {
namespace {

const Limits kLimits{.nodes = 20'000};

// Returns the placed buffers alone, and where they lie.
std::pair<Problem, Offsets> placed_part(const Problem& problem, const PeakWindow& window) {
  Problem part;
  Offsets offsets;
  for (const PeakWindow::Place& place : window.places) {
    part.buffers.push_back(problem.buffers[place.buffer]);
    offsets.push_back(place.offset);
  }
  return {part, offsets};
}

TEST(PeakWindow, ItsPlacesAreValidAndWithinTheHeight) {
  std::size_t found = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Problem problem = random_problem(seed, 600, Alignments::kMixed);
    const Bytes height = lower_bound(problem) * 11 / 10;
    const PeakWindow window = pack_peak_window(problem, height, kLimits);
    const auto [part, offsets] = placed_part(problem, window);
    EXPECT_TRUE(is_valid(part, offsets)) << "seed " << seed;
    EXPECT_LE(planner::height(part, offsets), height) << "seed " << seed;
    found += window.places.empty() ? 0U : 1U;
  }
  EXPECT_GE(found, 25U);
}

TEST(PeakWindow, HoldsTheWholePeak) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Problem problem = random_problem(seed, 600);
    const PeakWindow window = pack_peak_window(problem, lower_bound(problem), kLimits);
    if (window.places.empty()) continue;
    EXPECT_EQ(peak_live_bytes(placed_part(problem, window).first), peak_live_bytes(problem))
        << "seed " << seed;
  }
}

// Three live through the peak. The last born lies lowest and the first to die highest, so that each side has one gap.
TEST(PeakWindow, WhatEndsFirstLiesOutside) {
  Problem problem;
  for (const Lifetime life : {Lifetime{0, 1'000'000}, Lifetime{0, 600'000}, Lifetime{400'000, 1'000'000}})
    problem.buffers.push_back({.life = life, .size = 10, .fixed = {}});
  for (Time i = 0; i < 2'000; ++i) {  // more than the search takes
    const Time begin = 200'000 + 300 * i;
    problem.buffers.push_back({.life = {begin, begin + 300}, .size = i == 1'000 ? 2 : 1, .fixed = {}});
  }
  const PeakWindow window = pack_peak_window(problem, 32, kLimits);
  Offsets offsets(problem.buffers.size(), -1);
  for (const PeakWindow::Place& place : window.places) offsets[place.buffer] = place.offset;
  EXPECT_LT(offsets[2], offsets[0]);
  EXPECT_LT(offsets[0], offsets[1]);
}

TEST(PeakWindow, LeavesFixedPlacesAndOddAlignmentsAlone) {
  Problem problem = random_problem(1, 50);
  problem.buffers[7].fixed = 64;
  EXPECT_TRUE(pack_peak_window(problem, 1'000'000, kLimits).places.empty());
  problem.buffers[7].fixed.reset();
  problem.buffers[7].alignment = 3;
  problem.buffers[8].alignment = 8;
  EXPECT_TRUE(pack_peak_window(problem, 1'000'000, kLimits).places.empty());
  EXPECT_TRUE(pack_peak_window({}, 10, kLimits).places.empty());
}

}  // namespace
}  // namespace memo::planner
