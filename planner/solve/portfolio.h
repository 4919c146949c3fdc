// Runs many short exact searches instead of a long one: over orderings, capacities and random rankings, on all
// cores.
//
// Why. The duration of a dive has a heavy tail: most dives end after a few hundred nodes, or not within a
// million. And it is not monotone in the capacity: a tighter one may be solved sooner, because more of the tree
// is cut off. So the portfolio does not bisect. It cuts off dives of every kind after some nodes and begins
// them again with hardly more. A fifth of all nodes goes into a few long dives, because proofs need these.
//
//   batch 0   search 0: bound   search 1: halfway   search 2: bound   …   search 7: best - 1   some 100s of nodes each
//   batch 1   the same capacities (as far as the best plan and the bound have not moved), orderings rotated
//   batch 2   …
//
// Each search keeps the goals that it has refuted. Between batches, the portfolio puts together what the searches
// found and which sections made them fail, in the order of the searches. So the plan depends on the number of
// searches, never on the number of threads. When time is the limit instead of nodes, a search also stops as soon as
// its answer is useless.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "planner/solve/canonical_search.h"
#include "planner/solve/effort.h"

namespace memo::planner {

struct Plan {
  Offsets offsets;
  Bytes height = 0;
};

class Portfolio {
 public:
  struct Options {
    Rules rules;
    unsigned searches = 1;
    unsigned threads = 1;
    std::uint64_t seed = 1;
    std::size_t most_refuted = std::size_t{1} << 20;  // for each search
  };

  // `lower_bound` must be proved, and at least the largest sum of a section.
  Portfolio(const Problem& problem, Bytes lower_bound, const Options& options);

  // Looks for a plan within the capacity. Returns nothing when there is none or the effort is used up.
  [[nodiscard]] std::optional<Plan> decide(Bytes capacity, Effort& effort);

  // Improves `plan` until it is no higher than `enough`, it is proved optimal, or the effort is used up. Calls
  // `report` after each batch.
  void minimise(Plan& plan, Bytes enough, Effort& effort, const std::function<void(const Plan&)>& report);

  // Returns the bound proved so far: no plan is lower.
  [[nodiscard]] Bytes lower_bound() const { return lower_bound_; }

 private:
  struct Task {
    CanonicalSearch::Dive dive;
    CanonicalSearch::Verdict verdict = CanonicalSearch::Verdict::kStopped;
    Plan plan;
    std::uint64_t nodes = 0;
  };
  // The heights that a batch looks for.
  struct Hunt {
    Bytes least;   // the lowest capacity worth a dive
    Bytes most;    // and the highest
    Bytes enough;  // a plan of this height ends the hunt
  };

  [[nodiscard]] std::optional<Plan> run_batch(const Hunt& hunt, Effort& effort);
  [[nodiscard]] std::uint64_t nodes_of_a_dive() const;
  [[nodiscard]] std::uint64_t nodes_of_a_long_dive(std::uint64_t usual);
  [[nodiscard]] std::vector<Task> next_tasks(const Hunt& hunt, const Effort& effort);
  void run(std::vector<Task>& tasks, const Hunt& hunt, const Effort& effort);
  void run_search(unsigned number, std::vector<Task>& tasks, const Hunt& hunt, const Effort& effort);
  [[nodiscard]] bool useless(unsigned number, const Task& task, const Effort& effort) const;
  void announce(unsigned number, const Task& task, const Hunt& hunt);
  [[nodiscard]] std::optional<Plan> collect(std::vector<Task>& tasks, Effort& effort);
  void share_conflicts(std::size_t searches);
  [[nodiscard]] bool infeasible_within(Bytes capacity) const { return lower_bound_ > capacity; }

  const Problem& problem_;
  SearchProblem layout_;
  Options options_;
  Bytes lower_bound_;
  std::uint64_t dives_ = 0;
  std::uint64_t fruitless_dives_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t in_long_dives_ = 0;
  std::uint64_t last_long_dive_ = 0;
  std::vector<std::unique_ptr<CanonicalSearch>> searches_;
  std::vector<std::uint64_t> conflicts_;  // of all searches, by section

  // Messages between the searches of the running batch.
  static constexpr unsigned kNone = ~0u;
  std::atomic<unsigned> winner_{kNone};  // the first search that ended the hunt
  std::atomic<Bytes> least_found_{0};
  std::atomic<Bytes> most_refuted_{0};
};

}  // namespace memo::planner
