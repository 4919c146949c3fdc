#include "planner/solve/hill_climb.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <tuple>

#include "planner/placing/budget.h"
#include "planner/placing/contention.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/random.h"
#include "planner/placing/squeeze.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

constexpr int kMostRounds = 99'999;
constexpr int kPatience = 5'000;
constexpr int kRoundsBeforeSecondPair = 25;
constexpr std::size_t kPercentFromAfar = 30;
constexpr std::uint64_t kDefaultNodes = 2'000'000;

// Returns for each buffer the highest sum of live bytes during its life, from the maxima of all spans of 1, 2,
// 4, … sections: two of these spans cover a life.
std::vector<Bytes> urgencies(const Problem& problem) {
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  std::vector<std::vector<Bytes>> highest{live_in_sections(problem, sections)};
  for (std::size_t half = 1; half * 2 <= highest[0].size(); half *= 2) {
    const std::vector<Bytes>& halves = highest.back();
    std::vector<Bytes> wholes(halves.size() - half);
    for (std::size_t i = 0; i < wholes.size(); ++i) wholes[i] = std::max(halves[i], halves[i + half]);
    highest.push_back(std::move(wholes));
  }
  std::vector<Bytes> urgencies;
  for (const Lifetime& life : sections) {
    const auto span = std::bit_floor(static_cast<std::size_t>(life.length()));
    const std::vector<Bytes>& spans = highest[static_cast<std::size_t>(std::countr_zero(span))];
    urgencies.push_back(std::max(spans[static_cast<std::size_t>(life.begin)],
                                 spans[static_cast<std::size_t>(life.end) - span]));
  }
  return urgencies;
}

std::vector<BufferIndex> first_order(const Problem& problem) {
  const std::vector<Bytes> urgency = urgencies(problem);
  std::vector<BufferIndex> order = all_indices(problem);
  const auto key = [&](BufferIndex i) {
    const Buffer& buffer = problem.buffers[i];
    return std::tuple(-urgency[i], -buffer.life.length(), buffer.life.begin, -buffer.size, i);
  };
  std::sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) { return key(a) < key(b); });
  return order;
}

// The buffers to move: the highest buffer, its neighbours, and the buffers that pushed one of them up, directly
// or not.
class Circle {
 public:
  Circle(const Problem& problem, const Offsets& offsets)
      : problem_(problem), offsets_(offsets), member_(problem.buffers.size()) {
    for (BufferIndex i = 0; i < offsets.size(); ++i) by_end_.emplace_back(end(i), i);
    std::sort(by_end_.begin(), by_end_.end());
    const BufferIndex top = by_end_.back().second;
    join(top);
    for (BufferIndex i = 0; i < offsets.size(); ++i) {
      if (overlap(i, top)) join(i);
    }
    near_ = members_.size();
    for (std::size_t k = 0; k < members_.size(); ++k) {
      if (const auto pusher = pusher_of(members_[k])) join(*pusher);
    }
  }

  [[nodiscard]] std::span<const BufferIndex> all() const { return members_; }
  // Returns the buffers that are no neighbours of the highest buffer.
  [[nodiscard]] std::span<const BufferIndex> afar() const { return all().subspan(near_); }

 private:
  [[nodiscard]] Offset end(BufferIndex i) const { return offsets_[i] + problem_.buffers[i].size; }
  [[nodiscard]] bool overlap(BufferIndex a, BufferIndex b) const {
    return problem_.buffers[a].life.overlaps(problem_.buffers[b].life);
  }

  void join(BufferIndex i) {
    if (member_[i] || problem_.buffers[i].fixed) return;
    member_[i] = true;
    members_.push_back(i);
  }

  // Returns the buffer that pushed `i` up. First fit put `i` on top of a buffer that ends where `i` begins,
  // except for the alignment.
  [[nodiscard]] std::optional<BufferIndex> pusher_of(BufferIndex i) const {
    const std::pair<Offset, BufferIndex> above{offsets_[i] + 1, 0};
    auto at = std::lower_bound(by_end_.begin(), by_end_.end(), above);
    while (at != by_end_.begin() && (--at)->first > offsets_[i] - problem_.buffers[i].alignment) {
      if (overlap(at->second, i)) return at->second;
    }
    return std::nullopt;
  }

  const Problem& problem_;
  const Offsets& offsets_;
  std::vector<std::pair<Offset, BufferIndex>> by_end_;
  std::vector<bool> member_;
  std::vector<BufferIndex> members_;
  std::size_t near_ = 0;
};

class Climber {
 public:
  Climber(const Problem& problem, const Limits& limits)
      : problem_(problem),
        limits_(limits),
        budget_(limits, kDefaultNodes),
        random_(limits.seed),
        first_fit_(problem),
        order_(first_order(problem)),
        position_of_(problem.buffers.size()),
        bound_(lower_bound(problem)) {
    for (std::size_t position = 0; position < order_.size(); ++position)
      position_of_[order_[position]] = position;
  }

  Outcome climb() {
    adopt(first_fit_.run(order_));
    int last_gain = 0;
    for (int round = 0; !done(round, round - last_gain); ++round) {
      if (try_swaps(round - last_gain > kRoundsBeforeSecondPair)) last_gain = round;
    }
    Outcome outcome = conclude(problem_, std::move(offsets_));
    outcome.nodes = budget_.spent();
    return outcome;
  }

 private:
  using Swap = std::pair<BufferIndex, BufferIndex>;

  bool done(int round, int since_gain) {
    if (best_ <= bound_ || circle_->all().size() < 2 || round >= kMostRounds) return true;
    if (since_gain >= kPatience && best_ <= problem_.capacity.value_or(best_)) return true;
    return !budget_.spend(order_.size());
  }

  // Plays one round. Returns true when the plan became lower.
  bool try_swaps(bool second_pair) {
    const Swap first = choose_pair();
    const Swap second = second_pair ? choose_neighbours() : Swap{first.first, first.first};
    swap_positions(first);
    swap_positions(second);
    std::optional<Offsets> found = first_fit_.run(order_, best_);
    if (!found) {
      swap_positions(second);
      swap_positions(first);
      return false;
    }
    return adopt(*std::move(found));
  }

  // Continues from this plan. Returns true when it is lower than the one before.
  bool adopt(Offsets offsets) {
    const Bytes reached = height(problem_, offsets);
    const bool lower = offsets_.empty() || reached < best_;
    best_ = reached;
    offsets_ = std::move(offsets);
    circle_.emplace(problem_, offsets_);
    if (lower && limits_.progress) limits_.progress({best_, bound_, budget_.spent()});
    return lower;
  }

  Swap choose_pair() {
    const bool from_afar = !circle_->afar().empty() && random_.below(100) < kPercentFromAfar;
    const BufferIndex a = pick(from_afar ? circle_->afar() : circle_->all());
    return {a, pick(circle_->all())};
  }

  Swap choose_neighbours() {
    const BufferIndex a = pick_neighbour(pick(circle_->all()));
    return {a, pick_neighbour(pick(circle_->all()))};
  }

  BufferIndex pick_neighbour(BufferIndex of) {
    neighbours_.clear();
    for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) {
      const Buffer& buffer = problem_.buffers[i];
      if (!buffer.fixed && buffer.life.overlaps(problem_.buffers[of].life)) neighbours_.push_back(i);
    }
    return pick(neighbours_);
  }

  BufferIndex pick(std::span<const BufferIndex> from) { return from[random_.below(from.size())]; }

  void swap_positions(const Swap& swap) {
    std::swap(order_[position_of_[swap.first]], order_[position_of_[swap.second]]);
    std::swap(position_of_[swap.first], position_of_[swap.second]);
  }

  const Problem& problem_;
  const Limits& limits_;
  Budget budget_;
  Random random_;
  FirstFit first_fit_;
  std::vector<BufferIndex> order_;
  std::vector<std::size_t> position_of_;
  Bytes bound_;
  Bytes best_ = 0;
  Offsets offsets_;
  std::optional<Circle> circle_;
  std::vector<BufferIndex> neighbours_;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  if (problem.buffers.empty()) return conclude(problem, {});
  return Climber(problem, limits).climb();
}

}  // namespace

const Strategy kHillClimb = {
    .name = "hill-climb",
    .summary = "First fit whose order is changed, swap by swap, around the highest buffer (Vela, Regor)",
    .cost = "O(n log n) for a round, up to 99,999 rounds; anytime",
    .guarantee = "none; never higher than first fit by urgency",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
