#include "planner/placing/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "planner/problem/bounds.h"

namespace memo::planner {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kOptimal:
      return "optimal";
    case Status::kFeasible:
      return "feasible";
    case Status::kInfeasible:
      return "infeasible";
    case Status::kTimeout:
      break;
  }
  return "timeout";
}

std::optional<Outcome> infeasible_by_bound(const Problem& problem) {
  const Bytes bound = lower_bound(problem);
  if (!problem.capacity || bound <= *problem.capacity) return std::nullopt;
  Outcome outcome{.status = Status::kInfeasible, .lower_bound = bound};
  outcome.note =
      fmt::format("any plan needs at least {} bytes; the capacity is {}", bound, *problem.capacity);
  return outcome;
}

Outcome conclude(const Problem& problem, Offsets offsets) {
  if (std::optional<Outcome> infeasible = infeasible_by_bound(problem)) return *std::move(infeasible);
  Outcome outcome{.lower_bound = lower_bound(problem)};
  const Bytes reached = height(problem, offsets);
  if (problem.capacity && reached > *problem.capacity) {
    outcome.note =
        fmt::format("the plan found is {} bytes high, over the capacity of {}; a better one may exist",
                    reached, *problem.capacity);
    return outcome;
  }
  take_plan(problem, std::move(offsets), outcome);
  return outcome;
}

void take_plan(const Problem& problem, Offsets offsets, Outcome& outcome) {
  outcome.height = height(problem, offsets);
  outcome.status = outcome.height <= outcome.lower_bound ? Status::kOptimal : Status::kFeasible;
  outcome.offsets = std::move(offsets);
}

Outcome out_of_time(const Problem& problem) {
  if (std::optional<Outcome> infeasible = infeasible_by_bound(problem)) return *std::move(infeasible);
  Outcome outcome{.status = Status::kTimeout, .lower_bound = lower_bound(problem)};
  outcome.note = "the time ran out before every buffer had a place";
  return outcome;
}

Outcome solve_timed(const Strategy& strategy, const Problem& problem, const Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome = strategy.solve(problem, limits);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  outcome.seconds = outcome.seconds.value_or(elapsed.count());
  return outcome;
}

std::string no_refusal(const Problem&) {
  return {};
}

std::string refusal_of_fixed_offsets(const Problem& problem) {
  const auto fixed = [](const Buffer& buffer) { return buffer.fixed.has_value(); };
  if (std::none_of(problem.buffers.begin(), problem.buffers.end(), fixed)) return {};
  return "it decides every place itself, and some buffers come with a fixed offset";
}

}  // namespace memo::planner
