#include "planner/problem/problem.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

// A buffer that dies at the moment another is born shares its bytes: lifetimes are half-open.
TEST(PeakLiveBytes, TouchingLifetimesDoNotAdd) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 10}, {.life = {2, 4}, .size = 7}},
                        .capacity = {}};
  EXPECT_EQ(peak_live_bytes(problem), 10);
}

TEST(Height, IsTheEndOfTheHighestBuffer) {
  const Problem problem{.buffers = {{.life = {0, 2}, .size = 10}, {.life = {1, 4}, .size = 7}},
                        .capacity = {}};
  EXPECT_EQ(height(problem, {7, 0}), 17);
}

}  // namespace
}  // namespace memo::planner
