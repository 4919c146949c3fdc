// Changes to a problem that leave its optimum alone, or change it in a known way. No oracle is needed, so the
// problems may be larger than brute force could take; an exact strategy that proves both sides must agree with itself.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/planner/registry/oracles/arbitrary.h"
#include "tests/planner/registry/oracles/strategies.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostBuffers = 14;
constexpr std::uint64_t kNodes = 20'000;

class Metamorphic : public EveryExactStrategy {
 protected:
  // Passes when either side ran out of nodes: then nothing was claimed.
  template <typename Change>
  void expect_factor(Bytes factor, Change change) {
    EXPECT_TRUE(rc::check(GetParam(), [&](Traits traits) {
      if (passes_over_this_case()) return;
      const Problem problem = *problems(most_buffers(kMostBuffers), traits);
      const Problem changed = change(problem);
      RC_PRE(accepts(strategy(), problem) && accepts(strategy(), changed));
      const Outcome before = strategy().solve(problem, node_limits(kNodes));
      const Outcome after = strategy().solve(changed, node_limits(kNodes));
      if (before.status != Status::kOptimal || after.status != Status::kOptimal) return;
      RC_ASSERT(before.height * factor == after.height);
    }));
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Metamorphic);

TEST_P(Metamorphic, TimeReversed) {
  expect_factor(1, [](Problem problem) {
    for (Buffer& buffer : problem.buffers) buffer.life = {-buffer.life.end, -buffer.life.begin};
    return problem;
  });
}

TEST_P(Metamorphic, SizesScaled) {
  expect_factor(3, [](Problem problem) {
    for (Buffer& buffer : problem.buffers) {
      buffer.size *= 3;
      buffer.alignment *= 3;
      if (buffer.fixed) *buffer.fixed *= 3;
    }
    return problem;
  });
}

TEST_P(Metamorphic, BuffersRenamed) {
  expect_factor(1, [](Problem problem) {
    std::reverse(problem.buffers.begin(), problem.buffers.end());
    std::rotate(problem.buffers.begin(),
                problem.buffers.begin() + static_cast<std::ptrdiff_t>(problem.buffers.size() / 3),
                problem.buffers.end());
    return problem;
  });
}

TEST_P(Metamorphic, TimeAxisRefined) {
  expect_factor(1, [](Problem problem) {
    const auto refined = [](Time time) { return time * 7 + time / 3 - 20; };
    for (Buffer& buffer : problem.buffers)
      buffer.life = {refined(buffer.life.begin), refined(buffer.life.end)};
    return problem;
  });
}

// A copy of the whole problem after its end changes nothing: the two never meet.
TEST_P(Metamorphic, ProblemRepeatedLater) {
  expect_factor(1, [](Problem problem) {
    const std::vector<Buffer> once = problem.buffers;
    for (Buffer buffer : once) {
      buffer.life.begin += 1000;
      buffer.life.end += 1000;
      problem.buffers.push_back(buffer);
    }
    return problem;
  });
}

INSTANTIATE_TEST_SUITE_P(All, Metamorphic, testing::ValuesIn(every_exact_name()), test_name);

}  // namespace
}  // namespace memo::planner
