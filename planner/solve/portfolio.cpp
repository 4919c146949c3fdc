#include "planner/solve/portfolio.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace memo::planner {
namespace {

// Each ordering is the best of all on some instance; together they leave few instances unsolved.
constexpr std::array<Ordering, 8> kOrderings = {{
    {.tie_break = TieBreak::kConflicts, .ranking = "TWA"},
    {.tie_break = TieBreak::kConflicts, .ranking = "TAW", .unbiased = true},
    {.tie_break = TieBreak::kConflicts, .ranking = "UWT"},
    {.tie_break = TieBreak::kConflict, .ranking = "RWA", .unbiased = true},
    {.tie_break = TieBreak::kConflicts, .ranking = "RAW"},
    {.tie_break = TieBreak::kConflicts, .ranking = "WAT", .unbiased = true},
    {.tie_break = TieBreak::kSlack, .ranking = "TWA"},
    {.tie_break = TieBreak::kConflict, .ranking = "TAW"},
}};

// The capacity of each search's dive, as a share of the way from the least to the most capacity.
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
    : problem_(problem),
      layout_(problem),
      options_(options),
      lower_bound_(lower_bound),
      conflicts_(layout_.sections()) {
  for (unsigned number = 0; number < options.searches; ++number) {
    searches_.push_back(std::make_unique<CanonicalSearch>(layout_, options.rules, options.most_refuted));
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
  std::optional<Plan> plan = collect(tasks, effort);
  if (!plan) fruitless_dives_ += tasks.size();
  return plan;
}

// Returns the nodes of a dive. A dive needs a node for each buffer to get anywhere. Against heavy tails, dives
// that hardly grow do best.
std::uint64_t Portfolio::nodes_of_a_dive() const {
  constexpr double kGrowth = 1.05;
  constexpr double kMost = 1e15;
  const double first = 400.0 + 1.5 * static_cast<double>(problem_.buffers.size());
  const std::uint64_t rounds = fruitless_dives_ / kOrderings.size();
  return static_cast<std::uint64_t>(std::min(first * std::pow(kGrowth, static_cast<double>(rounds)), kMost));
}

// Returns the nodes of the dive at the highest capacity. Proofs need one long dive: now and then it gets twice
// what the last long dive had, as long as such dives stay below a fifth of all nodes.
std::uint64_t Portfolio::nodes_of_a_long_dive(std::uint64_t usual) {
  constexpr std::uint64_t kShare = 5;
  const std::uint64_t wanted = std::max(2 * usual, 2 * last_long_dive_);
  if ((in_long_dives_ + wanted) * kShare > nodes_) return usual;
  last_long_dive_ = wanted;
  in_long_dives_ += wanted;
  return wanted;
}

// Makes the tasks of the next batch. A search keeps its place between the capacities and goes through the
// orderings; a single search goes through both.
std::vector<Portfolio::Task> Portfolio::next_tasks(const Hunt& hunt, const Effort& effort) {
  std::vector<Task> tasks(options_.searches);
  const std::uint64_t share = std::max<std::uint64_t>(effort.nodes_left() / tasks.size(), 1);
  const std::uint64_t usual = nodes_of_a_dive();
  for (Task& task : tasks) {
    const std::uint64_t number = dives_++;
    const std::uint64_t round = number / kOrderings.size();
    const double target = kTargets[number % kTargets.size()];
    task.dive = {.capacity = between(hunt.least, hunt.most, target),
                 .ordering = kOrderings[(number + round) % kOrderings.size()],
                 .seed = options_.seed + number,
                 .nodes = std::min(share, target == 1.0 ? nodes_of_a_long_dive(usual) : usual)};
  }
  return tasks;
}

void Portfolio::run(std::vector<Task>& tasks, const Hunt& hunt, const Effort& effort) {
  winner_ = kNone;
  least_found_ = std::numeric_limits<Bytes>::max();
  most_refuted_ = -1;
  std::atomic<unsigned> next{0};
  const auto work = [&] {
    for (unsigned number = next++; number < tasks.size(); number = next++)
      run_search(number, tasks, hunt, effort);
  };
  std::vector<std::jthread> helpers;
  const auto hands = std::min<std::size_t>(options_.threads, tasks.size());
  for (std::size_t helper = 1; helper < hands; ++helper) helpers.emplace_back(work);
  work();
}

void Portfolio::run_search(unsigned number, std::vector<Task>& tasks, const Hunt& hunt,
                           const Effort& effort) {
  Task& task = tasks[number];
  CanonicalSearch& search = *searches_[number];
  if (useless(number, task, effort)) return;
  task.verdict = search.dive(task.dive, [&] { return useless(number, task, effort); });
  task.nodes = search.nodes();
  if (task.verdict == CanonicalSearch::Verdict::kSolved) {
    task.plan.offsets = search.offsets();
    task.plan.height = height(problem_, task.plan.offsets);
  }
  announce(number, task, hunt);
}

// Returns true if the answer of the task cannot matter any more. Searches after the one that ended the hunt are
// never collected. Any other test depends on which search is faster, so it applies only where the plan need not
// be repeatable.
bool Portfolio::useless(unsigned number, const Task& task, const Effort& effort) const {
  if (winner_ < number || effort.stopped()) return true;
  if (effort.repeatable()) return false;
  return winner_ != kNone || least_found_ <= task.dive.capacity || most_refuted_ >= task.dive.capacity;
}

void Portfolio::announce(unsigned number, const Task& task, const Hunt& hunt) {
  if (task.verdict == CanonicalSearch::Verdict::kSolved) {
    lower(least_found_, task.plan.height);
    if (task.plan.height <= hunt.enough) lower(winner_, number);
  } else if (task.verdict == CanonicalSearch::Verdict::kExhausted) {
    raise(most_refuted_, task.dive.capacity);
    if (task.dive.capacity >= hunt.most) lower(winner_, number);
  }
}

// Returns the lowest plan, from the first search that has it.
std::optional<Plan> Portfolio::collect(std::vector<Task>& tasks, Effort& effort) {
  std::optional<Plan> best;
  const std::size_t count = std::min<std::size_t>(tasks.size(), std::size_t{winner_.load()} + 1);
  share_conflicts(count);
  for (std::size_t number = 0; number < count; ++number) {
    Task& task = tasks[number];
    effort.spend(task.nodes);
    nodes_ += task.nodes;
    if (task.verdict == CanonicalSearch::Verdict::kExhausted)
      lower_bound_ = std::max(lower_bound_, task.dive.capacity + 1);
    if (task.verdict == CanonicalSearch::Verdict::kSolved && (!best || task.plan.height < best->height))
      best = std::move(task.plan);
  }
  return best;
}

void Portfolio::share_conflicts(std::size_t searches) {
  std::vector<std::uint64_t> sum = conflicts_;
  for (std::size_t number = 0; number < searches; ++number) {
    const std::vector<std::uint64_t>& seen = searches_[number]->conflicts();
    for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += seen[s] - conflicts_[s];
  }
  conflicts_ = std::move(sum);
  for (const auto& search : searches_) search->set_conflicts(conflicts_);
}

}  // namespace memo::planner
