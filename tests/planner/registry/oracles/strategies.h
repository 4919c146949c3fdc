// Runs a test once for every strategy there is, under its name.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planner/check/check.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::planner {

// A node of the solver behind `mip` is a linear program, and a solve starts a process: tested on few small problems.
inline bool is_dear(const Strategy& strategy) {
  return strategy.name == "mip";
}

// A budget of nodes and none of time: what is tested is the same on every machine.
inline Limits node_limits(std::uint64_t nodes) {
  Limits limits;
  limits.nodes = nodes;
  return limits;
}

inline bool accepts(const Strategy& strategy, const Problem& problem) {
  return strategy.refusal(problem).empty();
}

inline bool has_plan(const Outcome& outcome) {
  return outcome.status == Status::kOptimal || outcome.status == Status::kFeasible;
}

// Empty, or what is wrong with an outcome that any strategy could be held to.
inline std::string wrong_with(const Problem& problem, const Outcome& outcome) {
  if (!has_plan(outcome)) return outcome.offsets.empty() ? "" : "offsets without a plan";
  if (const Verdict verdict = check_by_sweep(problem, outcome.offsets); !verdict.valid())
    return verdict.sentence;
  if (const Verdict verdict = check_by_pairs(problem, outcome.offsets); !verdict.valid())
    return verdict.sentence;
  if (outcome.height != height(problem, outcome.offsets)) return "the height is not that of the offsets";
  if (outcome.lower_bound < peak_live_bytes(problem)) return "the bound is below the peak of live bytes";
  if (outcome.lower_bound > outcome.height) return "the bound is above the height";
  const bool proved = outcome.lower_bound == outcome.height;
  if (proved != (outcome.status == Status::kOptimal)) return "the status and the bound disagree";
  return "";
}

inline std::vector<std::string> names_of(bool (*wanted)(const Strategy&)) {
  std::vector<std::string> names;
  for (const Strategy& strategy : every_strategy()) {
    if (wanted(strategy)) names.emplace_back(strategy.name);
  }
  return names;
}
inline std::vector<std::string> every_name() {
  return names_of([](const Strategy&) { return true; });
}
inline std::vector<std::string> every_exact_name() {
  return names_of([](const Strategy& strategy) { return strategy.exact; });
}
inline std::vector<std::string> every_cheap_name() {
  return names_of([](const Strategy& strategy) { return !is_dear(strategy); });
}

inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryStrategy : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] const Strategy& strategy() const { return *find_any(GetParam()); }

  // The most buffers of a random problem.
  [[nodiscard]] std::size_t most_buffers(std::size_t most) const {
    return is_dear(strategy()) ? std::min<std::size_t>(most, 5) : most;
  }
  // Returns true for nine of ten random problems when the strategy is dear.
  [[nodiscard]] bool passes_over_this_case() { return is_dear(strategy()) && cases_++ % 10 != 0; }

 private:
  unsigned cases_ = 0;
};
class EveryExactStrategy : public EveryStrategy {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryStrategy);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryExactStrategy);

}  // namespace memo::planner
