// Limits of a solve: which of them binds, and that nothing but nodes decides when only nodes are given.
#include "planner/placing/budget.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

TEST(Budget, AllowsExactlyTheNodesGiven) {
  Budget budget(Limits{.nodes = 3}, 100);
  EXPECT_TRUE(budget.spend(2));
  EXPECT_TRUE(budget.spend());
  EXPECT_FALSE(budget.spend());
  EXPECT_FALSE(budget.spend(0));
  EXPECT_EQ(budget.spent(), 4U);
}

TEST(Budget, TheDefaultBindsOnlyWithoutLimits) {
  const Limits none;
  const Limits an_hour{.seconds = 3600};
  EXPECT_FALSE(Budget(none, 100).spend(101));
  EXPECT_TRUE(Budget(an_hour, 100).spend(101));
}

TEST(Budget, TimeAndCancellationEndIt) {
  const Limits late{.seconds = -1.0, .nodes = 1000};
  EXPECT_FALSE(Budget(late, 1).spend());
  const std::atomic<bool> cancel = true;
  const Limits cancelled{.cancel = &cancel};
  EXPECT_FALSE(Budget(cancelled, 100).spend());
}

}  // namespace
}  // namespace memo::planner
