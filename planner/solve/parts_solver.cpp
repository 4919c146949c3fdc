#include "planner/solve/parts_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"
#include "planner/solve/ejection.h"

namespace memo::planner {
namespace {

// Enough for some seconds on a few hundred buffers on one core.
constexpr std::uint64_t kDefaultNodes = 2'000'000;

class PartsSolver {
 public:
  PartsSolver(const Problem& problem, const Limits& limits, const PartsOptions& options)
      : problem_(problem),
        limits_(limits),
        options_(options),
        normalised_(normalise(problem)),
        effort_(limits, kDefaultNodes),
        plans_(normalised_.parts.size()),
        lower_bound_(lower_bound(problem)) {}

  Outcome solve() {
    for (const std::size_t part : parts_by_bound()) {
      if (!solve_part(part)) return no_plan();
    }
    return plan();
  }

 private:
  [[nodiscard]] std::vector<std::size_t> parts_by_bound() const;
  [[nodiscard]] Problem in_real_time(const ProblemPart& part) const;
  bool solve_part(std::size_t part);
  [[nodiscard]] Plan best_heuristic(const Problem& part, Bytes enough) const;
  [[nodiscard]] bool heuristics_took_long() const;
  bool search(const Problem& part, Bytes enough, Plan& plan);
  [[nodiscard]] double share_of_ejection(std::size_t bytes) const;
  void eject(const Problem& part, Bytes enough, double share, Plan& plan);
  void climb(const Problem& part, Bytes enough, Plan& plan);
  void report(Bytes part_height) const;
  void learn_bound(Bytes of_part) { lower_bound_ = std::max(lower_bound_, of_part * normalised_.unit); }
  [[nodiscard]] Outcome plan() const;
  [[nodiscard]] Outcome no_plan() const;

  const Problem& problem_;
  const Limits& limits_;
  const PartsOptions& options_;
  Normalised normalised_;
  Effort effort_;
  std::vector<Offsets> plans_;
  Bytes height_ = 0;  // of the highest part so far, in units
  Bytes lower_bound_;
  bool too_large_ = false;
};

std::vector<std::size_t> PartsSolver::parts_by_bound() const {
  std::vector<Bytes> bounds;
  for (const ProblemPart& part : normalised_.parts) bounds.push_back(lower_bound(part.problem));
  std::vector<std::size_t> order(bounds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bounds[a] > bounds[b]; });
  return order;
}

// Returns the part without a capacity, and with the original lifetimes: heuristics do better when a long life
// counts as long.
Problem PartsSolver::in_real_time(const ProblemPart& part) const {
  Problem problem{.buffers = part.problem.buffers, .capacity = {}};
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    problem.buffers[i].life = problem_.buffers[part.original[i]].life;
  return problem;
}

// Solves one part. Returns false when it found no plan within the capacity.
bool PartsSolver::solve_part(std::size_t index) {
  const Problem part = in_real_time(normalised_.parts[index]);
  learn_bound(lower_bound(part));  // for a single part, the alignments may give a higher bound
  const Bytes enough =
      problem_.capacity ? *problem_.capacity / normalised_.unit : std::max(height_, lower_bound(part));
  Plan plan = best_heuristic(part, enough);
  report(plan.height);
  if (plan.height > enough && !search(part, enough, plan)) return false;
  height_ = std::max(height_, plan.height);
  plans_[index] = std::move(plan.offsets);
  return true;
}

Plan PartsSolver::best_heuristic(const Problem& part, Bytes enough) const {
  constexpr std::size_t kCertain = 2;  // of `auto`: it promises not to end above greedy-size
  Plan best;
  std::size_t tried = 0;
  for (const Strategy* strategy : options_.heuristics) {
    if (!strategy->refusal(part).empty()) continue;
    Limits limits{.seconds = effort_.seconds_left(), .cancel = limits_.cancel};
    if (!best.offsets.empty()) limits.below = best.height;
    Outcome outcome = strategy->solve(part, limits);
    const bool better = best.offsets.empty() || outcome.height < best.height;
    if (better && !outcome.offsets.empty()) best = {std::move(outcome.offsets), outcome.height};
    if (best.height <= enough || effort_.stopped()) break;
    if (++tried >= kCertain && heuristics_took_long()) break;
  }
  return best;
}

// Returns true if a quarter of the time is over: on very large parts, what improves a plan needs the rest.
bool PartsSolver::heuristics_took_long() const {
  const std::optional<double> left = effort_.seconds_left();
  return left && *left < 0.75 * *limits_.seconds;
}

bool PartsSolver::search(const Problem& part, Bytes enough, Plan& plan) {
  const std::size_t bytes = search_problem_bytes(part);
  too_large_ = too_large_ || bytes > options_.most_list_bytes;
  if (options_.ejects) eject(part, enough, share_of_ejection(bytes), plan);
  if (plan.height <= enough) return true;
  if (bytes > options_.most_list_bytes) {
    climb(part, enough, plan);
    return !problem_.capacity || plan.height <= enough;
  }
  Portfolio portfolio(part, lower_bound(part), options_.portfolio);
  if (problem_.capacity) {
    std::optional<Plan> found = portfolio.decide(enough, effort_);
    learn_bound(portfolio.lower_bound());
    if (!found) return false;
    plan = *std::move(found);
    return true;
  }
  portfolio.minimise(plan, enough, effort_, [&](const Plan& improved) { report(improved.height); });
  learn_bound(std::min(portfolio.lower_bound(), plan.height));
  return true;
}

// Returns the share of the limits for ejection: all of them where the search cannot follow, next to nothing for a thousand
// buffers, which the search solves at once.
double PartsSolver::share_of_ejection(std::size_t bytes) const {
  constexpr double kMost = 0.75;
  constexpr double kSteepness = 8;
  if (bytes > options_.most_list_bytes) return 1;
  const double load = kSteepness * static_cast<double>(bytes) / static_cast<double>(options_.most_list_bytes);
  return std::min(kMost, load * load);
}

void PartsSolver::eject(const Problem& part, Bytes enough, double share, Plan& plan) {
  constexpr double kParts = 1024;  // in whole numbers, since no double can hold the largest number of nodes
  const std::uint64_t nodes =
      effort_.nodes_left() / static_cast<std::uint64_t>(kParts) * static_cast<std::uint64_t>(share * kParts);
  if (nodes < part.buffers.size() || effort_.stopped()) return;
  Limits limits{.nodes = nodes, .cancel = limits_.cancel};
  if (const std::optional<double> seconds = effort_.seconds_left()) limits.seconds = share * *seconds;
  effort_.spend(improve_by_ejection(part, enough, limits, plan.offsets));
  plan.height = height(part, plan.offsets);
  report(plan.height);
}

// Gives what is left of the limits to the heuristics that can use it.
void PartsSolver::climb(const Problem& part, Bytes enough, Plan& plan) {
  for (const Strategy* strategy : options_.climbers) {
    if (plan.height <= enough || effort_.exhausted() || !strategy->refusal(part).empty()) continue;
    Outcome outcome = strategy->solve(part, {.seconds = effort_.seconds_left(),
                                             .nodes = effort_.nodes_left(),
                                             .threads = limits_.threads,
                                             .seed = limits_.seed,
                                             .cancel = limits_.cancel});
    effort_.spend(outcome.nodes);
    if (outcome.height < plan.height) plan = {std::move(outcome.offsets), outcome.height};
  }
}

void PartsSolver::report(Bytes part_height) const {
  if (!limits_.progress) return;
  limits_.progress({.height = std::max(height_, part_height) * normalised_.unit,
                    .lower_bound = lower_bound_,
                    .nodes = effort_.spent()});
}

Outcome PartsSolver::plan() const {
  Outcome outcome{.lower_bound = lower_bound_, .nodes = effort_.spent()};
  take_plan(problem_, restore(normalised_, plans_), outcome);
  if (too_large_ && outcome.status != Status::kOptimal)
    outcome.note = "too many overlapping buffers for the exact search: heuristics only";
  return outcome;
}

Outcome PartsSolver::no_plan() const {
  Outcome outcome{.status = Status::kTimeout, .lower_bound = lower_bound_, .nodes = effort_.spent()};
  if (lower_bound_ > *problem_.capacity) {
    outcome.status = Status::kInfeasible;
    outcome.note =
        fmt::format("every plan was searched: none is within the capacity of {} bytes", *problem_.capacity);
  } else if (too_large_) {
    outcome.note = "too many overlapping buffers for the exact search, and no heuristic met the capacity";
  } else {
    outcome.note = fmt::format("no plan within {} bytes was found before the limits ran out; one may exist",
                               *problem_.capacity);
  }
  return outcome;
}

}  // namespace

Outcome solve_by_parts(const Problem& problem, const Limits& limits, const PartsOptions& options) {
  if (std::optional<Outcome> infeasible = infeasible_by_bound(problem)) return *std::move(infeasible);
  return PartsSolver(problem, limits, options).solve();
}

}  // namespace memo::planner
