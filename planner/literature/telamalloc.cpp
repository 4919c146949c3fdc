#include "planner/literature/telamalloc.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "planner/literature/tela_search.h"
#include "planner/placing/budget.h"
#include "planner/placing/conflicts.h"
#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kDefaultNodes = 500'000;
constexpr int kMostRounds = 20;

// Bisects heights until a plan fits the capacity, or reaches the bound where there is none, or the limits run out.
class Minimiser {
 public:
  Minimiser(const Problem& problem, const Limits& limits, const TelaRules& rules)
      : problem_(problem),
        limits_(limits),
        budget_(limits, kDefaultNodes),
        search_(problem, rules),
        bound_(lower_bound(problem)),
        enough_(std::max(bound_, problem.capacity.value_or(0))) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    Budget unlimited({}, kAll);
    best_ = *search_.probe(std::numeric_limits<Bytes>::max() / 2, {.nodes = kAll}, unlimited);
    height_ = height(problem, best_);
  }

  Outcome minimise() {
    minimise_patiently();
    if (height_ > enough_ && !budget_.exhausted()) {
      search_.return_to_latest();
      minimise_patiently();
    }
    Outcome outcome = conclude(problem_, std::move(best_));
    outcome.nodes = budget_.spent();
    return outcome;
  }

 private:
  void minimise_patiently() {
    Patience patience;
    bool more_to_gain = true;
    for (int round = 0; round < kMostRounds && more_to_gain; ++round, patience.grow()) {
      more_to_gain = bisect(patience);
    }
  }

  // Tries what is enough first, since real traces often reach their bound, then halves of what is left. A capacity is
  // enough, and nothing above it is of use. Returns false when more patience would change nothing.
  bool bisect(const Patience& patience) {
    bool lost_patience = false;
    Bytes low = enough_;
    const Bytes beyond = problem_.capacity ? low + 1 : height_;
    for (Bytes target = low; low < std::min(height_, beyond) && !budget_.exhausted();
         target = low + (height_ - low) / 2) {
      if (!lower_to(target, patience)) low = target + 1;
      lost_patience = lost_patience || search_.lost_patience();
    }
    return lost_patience && height_ > enough_ && !budget_.exhausted();
  }

  bool lower_to(Bytes target, const Patience& patience) {
    std::optional<Offsets> found = search_.probe(std::min(target, height_ - 1), patience, budget_);
    if (!found) return false;
    best_ = *std::move(found);
    height_ = height(problem_, best_);
    if (limits_.progress) limits_.progress({height_, bound_, budget_.spent()});
    return true;
  }

  const Problem& problem_;
  const Limits& limits_;
  Budget budget_;
  TelaSearch search_;
  Bytes bound_;
  Bytes enough_;  // a plan of this height ends the search
  Offsets best_;
  Bytes height_ = 0;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  return solve_telamalloc(problem, limits, {});
}

}  // namespace

Outcome solve_telamalloc(const Problem& problem, const Limits& limits, const TelaRules& rules) {
  return Minimiser(problem, limits, rules).minimise();
}

const Strategy kTelamalloc = {
    .name = "telamalloc",
    .summary =
        "Contention phases, three favourites at a time, bounds, and learned returns to the decision at fault",
    .cost = "O(neighbours) for each bound that moves; anytime",
    .guarantee = "none; gives up decisions it returned to too often",
    .exact = false,
    .refusal = refusal_of_many_conflicts,
    .solve = solve,
};

}  // namespace memo::planner
