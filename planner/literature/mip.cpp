#include "planner/literature/mip.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>

#include "planner/literature/mip_model.h"
#include "planner/literature/mip_solver.h"
#include "planner/placing/conflicts.h"
#include "planner/placing/outcome.h"
#include "planner/placing/squeeze.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"
#include "planner/solve/hill_climb.h"

namespace memo::planner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPairs = 30'000;
constexpr double kDefaultSeconds = 20;
constexpr double kForeverSeconds = 1e8;
constexpr std::uint64_t kNodesOfTheFirstPlan = 300'000;
// The cost of a node of the solver's tree, with its linear program, in placements of one buffer.
constexpr std::uint64_t kPlacementsOfATreeNode = 100;
// Above this many units, a solver's tolerance of a millionth, times W, is more than a unit, so the solver's
// answer proves nothing.
constexpr Bytes kMostUnitsForProof = 1'000'000;

struct Solved {
  Offsets offsets;
  Bytes lower_bound = 0;
};

std::size_t conflicting_pairs(const Problem& problem) {
  const std::vector<std::size_t> counts = conflict_counts(problem);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0}) / 2;
}

class PartSolver {
 public:
  PartSolver(MipSolver solver, const Limits& limits)
      : solver_(std::move(solver)),
        limits_(limits),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                     std::min(kForeverSeconds, seconds(limits))))) {}

  Solved solve(Problem problem) const {
    problem.capacity.reset();
    Limits first = limits_;
    first.nodes = std::min(kNodesOfTheFirstPlan, limits_.nodes.value_or(kNodesOfTheFirstPlan));
    Solved best{kHillClimb.solve(problem, first).offsets, lower_bound(problem)};
    const Bytes known = height(problem, best.offsets);
    const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
    if (known <= best.lower_bound || left <= 0 || !worth_asking(problem)) return best;
    const MipModel model = make_mip_model(problem, best.lower_bound, known - 1);
    improve(problem, known, run_mip_solver(solver_, model, {left, tree_nodes(), limits_.cancel}), best);
    return best;
  }

 private:
  static double seconds(const Limits& limits) {
    return limits.seconds.value_or(limits.nodes ? kForeverSeconds : kDefaultSeconds);
  }

  [[nodiscard]] std::optional<std::uint64_t> tree_nodes() const {
    if (!limits_.nodes) return std::nullopt;
    return *limits_.nodes / kPlacementsOfATreeNode;
  }

  // Returns true if the solver is worth starting: a tree of fewer than ten nodes for each binary rarely ends.
  [[nodiscard]] bool worth_asking(const Problem& problem) const {
    return !limits_.nodes || *tree_nodes() >= 10 * conflicting_pairs(problem);
  }

  static void improve(const Problem& problem, Bytes known, const MipAnswer& answer, Solved& best) {
    const bool precise = known <= kMostUnitsForProof;
    if (answer.verdict == MipAnswer::Verdict::kInfeasible && precise) best.lower_bound = known;
    if (answer.verdict != MipAnswer::Verdict::kOptimal && answer.verdict != MipAnswer::Verdict::kFeasible)
      return;
    Offsets rounded;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      rounded.push_back(std::llround(answer.values[i + 1]) * problem.buffers[i].alignment);
    }
    Offsets squeezed = squeeze(problem, rounded);
    const Bytes reached = height(problem, squeezed);
    if (reached >= known) return;
    best.offsets = std::move(squeezed);
    const bool proved = answer.verdict == MipAnswer::Verdict::kOptimal && precise;
    if (proved && reached <= std::llround(answer.objective)) best.lower_bound = reached;
  }

  MipSolver solver_;
  const Limits& limits_;
  Clock::time_point deadline_;
};

// Returns the outcome, with what the solver has proved beyond the sweep's bound.
Outcome conclude_with(const Problem& problem, Offsets offsets, Bytes proved) {
  Outcome outcome = conclude(problem, std::move(offsets));
  outcome.lower_bound = std::max(outcome.lower_bound, proved);
  if (outcome.status == Status::kFeasible && outcome.height == outcome.lower_bound) {
    outcome.status = Status::kOptimal;
  }
  if (outcome.status == Status::kTimeout && proved > *problem.capacity) {
    outcome.status = Status::kInfeasible;
    outcome.note = fmt::format("the solver proved that any plan needs at least {} bytes; the capacity is {}",
                               proved, *problem.capacity);
  }
  return outcome;
}

Outcome solve(const Problem& problem, const Limits& limits) {
  const Normalised normalised = normalise(problem);
  const PartSolver solver(*find_mip_solver(), limits);
  std::vector<Offsets> plans;
  Bytes proved = 0;
  for (const ProblemPart& part : normalised.parts) {
    Solved solved = solver.solve(part.problem);
    proved = std::max(proved, solved.lower_bound * normalised.unit);
    plans.push_back(std::move(solved.offsets));
  }
  return conclude_with(problem, restore(normalised, plans), proved);
}

std::string refusal(const Problem& problem) {
  if (!find_mip_solver()) {
    return "it needs a solver, and neither cbc nor glpsol is on the PATH; install coinor-cbc or glpk-utils";
  }
  const std::size_t pairs = conflicting_pairs(problem);
  if (pairs <= kMostPairs) return {};
  return fmt::format(
      "it needs one binary for each of {} overlapping pairs, and no solver gets anywhere beyond {}", pairs,
      kMostPairs);
}

}  // namespace

const Strategy kMip = {
    .name = "mip",
    .summary = "A mixed integer program, solved by CBC or GLPK where one is installed",
    .cost = "exponential; useful up to some 60 competing buffers",
    .guarantee = "exact: proves the least height when the solver ends within the limits",
    .exact = true,
    .refusal = refusal,
    .solve = solve,
};

}  // namespace memo::planner
