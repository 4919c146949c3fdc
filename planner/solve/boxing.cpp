#include "planner/solve/boxing.h"

#include <algorithm>
#include <cmath>

#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/random.h"
#include "planner/placing/squeeze.h"
#include "planner/problem/bounds.h"
#include "planner/solve/boxes.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kDefaultLives = 12;
constexpr std::uint64_t kLeastDefaultNodes = 100'000;
constexpr double kStepOfSlack = 0.01;
constexpr int kPatienceWithSlack = 3;
// The least ratio of the largest to the smallest size at which boxing is proved to work at some slack.
constexpr double kLeastSpread = 2216.54;

// Returns the problem, if need be with one more buffer, so that the sizes are spread far enough for the boxes.
Problem spread_out(const Problem& problem) {
  Problem spread = problem;
  Lifetime all = problem.buffers.front().life;
  Bytes least = problem.buffers.front().size;
  Bytes greatest = least;
  for (const Buffer& buffer : problem.buffers) {
    all = {std::min(all.begin, buffer.life.begin), std::max(all.end, buffer.life.end)};
    least = std::min(least, buffer.size);
    greatest = std::max(greatest, buffer.size);
  }
  const auto wanted = static_cast<Bytes>(std::ceil(kLeastSpread * static_cast<double>(least)));
  if (greatest < wanted) spread.buffers.push_back({.life = all, .size = wanted, .fixed = {}});
  return spread;
}

// Returns the slack that leaves the least spread of sizes. Tries slacks from the lowest up until they gain no
// more.
double choose_slack(Boxes& boxes, Random& random) {
  const Boxes::Range range = boxes.slacks();
  double best = range.low;
  double least = boxes.spread_after_small_jobs(best, random);
  int in_vain = 0;
  for (double slack = best; in_vain < kPatienceWithSlack; ++in_vain) {
    slack += kStepOfSlack * (range.high - slack);
    const double spread = boxes.spread_after_small_jobs(slack, random);
    if (spread >= least) continue;
    least = spread;
    best = slack;
    in_vain = -1;
  }
  return best;
}

class Lives {
 public:
  Lives(const Problem& problem, const Limits& limits)
      : problem_(problem),
        limits_(limits),
        budget_(limits, std::max(kLeastDefaultNodes, kDefaultLives * problem.buffers.size())),
        first_fit_(problem),
        bound_(lower_bound(problem)),
        best_(first_fit_.run(size_order(problem))),
        height_(height(problem, best_)) {
    try_order(birth_order(problem));
  }

  Outcome live() {
    if (!done()) {
      Random random(limits_.seed);
      Boxes boxes(spread_out(problem_));
      const double slack = choose_slack(boxes, random);
      while (!done()) try_order(loose_order(problem_, boxes.loose_offsets(slack, random)));
    }
    Outcome outcome = conclude(problem_, std::move(best_));
    outcome.nodes = budget_.spent();
    return outcome;
  }

 private:
  bool done() { return height_ <= bound_ || !budget_.spend(problem_.buffers.size()); }

  void try_order(const std::vector<BufferIndex>& order) {
    std::optional<Offsets> found = first_fit_.run(order, height_ - 1);
    if (!found) return;
    best_ = *std::move(found);
    height_ = height(problem_, best_);
    if (limits_.progress) limits_.progress({height_, bound_, budget_.spent()});
  }

  const Problem& problem_;
  const Limits& limits_;
  Budget budget_;
  FirstFit first_fit_;
  Bytes bound_;
  Offsets best_;
  Bytes height_;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  if (problem.buffers.empty()) return conclude(problem, {});
  return Lives(problem, limits).live();
}

}  // namespace

const Strategy kBoxing = {
    .name = "boxing",
    .summary = "idealloc: boxes of boxes, stacked, give orders for first fit; the best of several lives",
    .cost = "O(n log^2 n) for a life; anytime",
    .guarantee = "none; never higher than first fit by size; optimal for equal sizes",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
