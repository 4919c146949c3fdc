#include "planner/search/portfolio.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace memo::planner {
namespace {

// Each is the best of all on some instance; one after another they leave few unsolved.
constexpr std::array<Ordering, 8> kOrderings = {{
    {TieBreak::kConflicts, "TWA"},
    {TieBreak::kConflicts, "WAT"},
    {TieBreak::kConflicts, "TAW"},
    {TieBreak::kConflicts, "UWT"},
    {TieBreak::kSlack, "TWA"},
    {TieBreak::kRank, "TAW"},
    {TieBreak::kConflict, "WAT"},
    {TieBreak::kConflicts, "RWA"},
}};

// Where between the least and the most capacity each lane dives.
constexpr std::array<double, 8> kTargets = {0.0, 0.5, 0.0, 0.25, 0.0, 0.75, 0.125, 1.0};

Bytes between(Bytes least, Bytes most, double fraction) {
  return least + static_cast<Bytes>(fraction * static_cast<double>(most - least));
}

void lower(std::atomic<Bytes>& value, Bytes candidate) {
  Bytes seen = value.load();
  while (candidate < seen && !value.compare_exchange_weak(seen, candidate)) {
  }
}

void raise(std::atomic<Bytes>& value, Bytes candidate) {
  Bytes seen = value.load();
  while (candidate > seen && !value.compare_exchange_weak(seen, candidate)) {
  }
}

void lower(std::atomic<unsigned>& value, unsigned candidate) {
  unsigned seen = value.load();
  while (candidate < seen && !value.compare_exchange_weak(seen, candidate)) {
  }
}

}  // namespace

Portfolio::Portfolio(const Problem& problem, Bytes lower_bound, const Options& options)
    : problem_(problem), layout_(problem), options_(options), lower_bound_(lower_bound) {
  for (unsigned lane = 0; lane < options.lanes; ++lane) {
    lanes_.push_back(std::make_unique<CanonicalSearch>(layout_, options.rules, options.most_refuted));
  }
}

std::optional<Plan> Portfolio::decide(Bytes capacity, Effort& effort) {
  while (!infeasible_within(capacity) && !effort.exhausted()) {
    if (auto plan = run_batch({capacity, capacity, capacity}, effort)) return plan;
  }
  return std::nullopt;
}

void Portfolio::minimise(Plan& plan, Bytes enough, Effort& effort,
                         const std::function<void(const Plan&)>& report) {
  while (plan.height > std::max(enough, lower_bound_) && !effort.exhausted()) {
    const Hunt hunt{std::max(enough, lower_bound_), plan.height - 1, std::max(enough, lower_bound_)};
    if (auto better = run_batch(hunt, effort); better && better->height < plan.height)
      plan = *std::move(better);
    report(plan);
  }
}

std::optional<Plan> Portfolio::run_batch(const Hunt& hunt, Effort& effort) {
  std::vector<Task> tasks = next_tasks(hunt, effort);
  run(tasks, hunt, effort);
  return collect(tasks, effort);
}

// A dive needs a node for each buffer to get anywhere. One lane alone goes through the orderings by itself.
std::vector<Portfolio::Task> Portfolio::next_tasks(const Hunt& hunt, const Effort& effort) {
  constexpr double kGrowth = 1.5;
  const std::uint64_t first = batch_++ * options_.lanes;
  const double base = 1000.0 + 1.5 * static_cast<double>(problem_.buffers.size());
  const double grown = base * std::pow(kGrowth, static_cast<double>(first / kOrderings.size()));
  const auto nodes = static_cast<std::uint64_t>(std::min(grown, 1e15));
  std::vector<Task> tasks(options_.lanes);
  for (std::uint64_t i = 0; i < tasks.size(); ++i) {
    const std::uint64_t number = first + i;
    const std::uint64_t round = number / kOrderings.size();
    tasks[i].dive = {
        .capacity = between(hunt.least, hunt.most, kTargets[number % kTargets.size()]),
        .ordering = kOrderings[(number + round) % kOrderings.size()],
        .seed = options_.seed + number,
        .nodes = std::min(nodes, std::max<std::uint64_t>(effort.nodes_left() / tasks.size(), 1))};
  }
  return tasks;
}

void Portfolio::run(std::vector<Task>& tasks, const Hunt& hunt, const Effort& effort) {
  winner_ = kNoLane;
  least_found_ = std::numeric_limits<Bytes>::max();
  most_refuted_ = -1;
  std::atomic<unsigned> next{0};
  const auto work = [&] {
    for (unsigned lane = next++; lane < tasks.size(); lane = next++) run_lane(lane, tasks, hunt, effort);
  };
  std::vector<std::jthread> helpers;
  const auto hands = std::min<std::size_t>(options_.threads, tasks.size());
  for (std::size_t helper = 1; helper < hands; ++helper) helpers.emplace_back(work);
  work();
}

void Portfolio::run_lane(unsigned lane, std::vector<Task>& tasks, const Hunt& hunt, const Effort& effort) {
  Task& task = tasks[lane];
  CanonicalSearch& search = *lanes_[lane];
  if (useless(lane, task, effort)) return;
  task.verdict = search.dive(task.dive, [&] { return useless(lane, task, effort); });
  task.nodes = search.nodes();
  if (task.verdict == CanonicalSearch::Verdict::kSolved) {
    task.plan.offsets = search.offsets();
    task.plan.height = height(problem_, task.plan.offsets);
  }
  announce(lane, task, hunt);
}

// Lanes after the one that ended the hunt are never collected. The rest depends on who is faster.
bool Portfolio::useless(unsigned lane, const Task& task, const Effort& effort) const {
  if (winner_ < lane || effort.stopped()) return true;
  if (effort.repeatable()) return false;
  return winner_ != kNoLane || least_found_ <= task.dive.capacity || most_refuted_ >= task.dive.capacity;
}

void Portfolio::announce(unsigned lane, const Task& task, const Hunt& hunt) {
  if (task.verdict == CanonicalSearch::Verdict::kSolved) {
    lower(least_found_, task.plan.height);
    if (task.plan.height <= hunt.enough) lower(winner_, lane);
  } else if (task.verdict == CanonicalSearch::Verdict::kExhausted) {
    raise(most_refuted_, task.dive.capacity);
    if (task.dive.capacity >= hunt.most) lower(winner_, lane);
  }
}

// The lowest plan, of the first lane that has it.
std::optional<Plan> Portfolio::collect(std::vector<Task>& tasks, Effort& effort) {
  std::optional<Plan> best;
  const std::size_t count = std::min<std::size_t>(tasks.size(), std::size_t{winner_.load()} + 1);
  for (std::size_t lane = 0; lane < count; ++lane) {
    Task& task = tasks[lane];
    effort.spend(task.nodes);
    if (task.verdict == CanonicalSearch::Verdict::kExhausted)
      lower_bound_ = std::max(lower_bound_, task.dive.capacity + 1);
    if (task.verdict == CanonicalSearch::Verdict::kSolved && (!best || task.plan.height < best->height))
      best = std::move(task.plan);
  }
  return best;
}

}  // namespace memo::planner
