#include "tests/bench/minimalloc/suite.h"

#include "tests/planner/registry/oracles/rectangle.h"

namespace memo::bench {
namespace {

planner::Problem synthetic_problem(int buffers, int number) {
  constexpr int kMostOfASize = 1000;
  const int lost = number % 2 == 0 ? 0 : buffers / 10;
  const auto seed = static_cast<std::uint32_t>(buffers * kMostOfASize + number);
  planner::CutRectangle cut = planner::RectangleCutter(seed, static_cast<std::size_t>(buffers + lost)).cut();
  cut.problem.buffers.resize(static_cast<std::size_t>(buffers));
  cut.problem.capacity = cut.height;
  return std::move(cut.problem);
}

}  // namespace

std::vector<planner::Problem> synthetic_problems(int buffers, int count) {
  std::vector<planner::Problem> problems;
  problems.reserve(static_cast<std::size_t>(count));
  for (int number = 0; number < count; ++number) problems.push_back(synthetic_problem(buffers, number));
  return problems;
}

}  // namespace memo::bench
