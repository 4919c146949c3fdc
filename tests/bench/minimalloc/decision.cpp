#include "tests/bench/minimalloc/decision.h"

#include <algorithm>
#include <stdexcept>

#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"

namespace memo::bench {

planner::Bytes capacity_of(const planner::Problem& problem) {
  const bool plain = std::ranges::all_of(
      problem.buffers, [](const planner::Buffer& buffer) { return buffer.alignment == 1 && !buffer.fixed; });
  if (!plain || !problem.capacity)
    throw std::invalid_argument(
        "a baseline needs a capacity, and buffers without alignments and fixed offsets");
  return *problem.capacity;
}

planner::Outcome decided(const planner::Problem& problem, planner::Offsets offsets, bool complete,
                         std::uint64_t nodes) {
  planner::Outcome outcome;
  if (!offsets.empty()) {
    outcome = planner::conclude(problem, std::move(offsets));
  } else {
    outcome.status = complete ? planner::Status::kInfeasible : planner::Status::kTimeout;
    outcome.lower_bound = planner::lower_bound(problem);
  }
  outcome.nodes = nodes;
  return outcome;
}

}  // namespace memo::bench
