#include "planner/solve/strip_packing.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

// The buffers that wait for a place. Finds the longest-lived one within a stretch with a tree over the buffers
// in the order of birth; each node knows the longest life and the earliest death below it.
class Waiting {
 public:
  Waiting(const Problem& problem, const std::vector<Lifetime>& lives, EquallyLong ties)
      : problem_(problem), lives_(lives), ties_(ties), order_(all_indices(problem)) {
    std::stable_sort(order_.begin(), order_.end(),
                     [&](BufferIndex a, BufferIndex b) { return lives[a].begin < lives[b].begin; });
    leaves_ = std::bit_ceil(std::max<std::size_t>(order_.size(), 1));
    nodes_.resize(leaves_ * 2);
    for (std::size_t i = 0; i < order_.size(); ++i) nodes_[leaves_ + i] = leaf(order_[i]);
    for (std::size_t node = leaves_ - 1; node > 0; --node) combine(node);
  }

  // Removes and returns the longest-lived buffer; returns nothing if no life fits.
  std::optional<BufferIndex> take_longest_within(const Lifetime& stretch) {
    best_ = kNobody;
    search(1, 0, leaves_, births_before(stretch.begin), births_before(stretch.end), stretch.end);
    if (best_ == kNobody) return std::nullopt;
    nodes_[leaves_ + best_] = Node{};
    for (std::size_t node = (leaves_ + best_) / 2; node > 0; node /= 2) combine(node);
    return order_[best_];
  }

 private:
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  struct Node {
    Time longest = -1;
    Time first_death = std::numeric_limits<Time>::max();
  };

  [[nodiscard]] Node leaf(BufferIndex index) const {
    return {problem_.buffers[index].life.length(), lives_[index].end};
  }
  void combine(std::size_t node) {
    const Node& left = nodes_[node * 2];
    const Node& right = nodes_[node * 2 + 1];
    nodes_[node] = {std::max(left.longest, right.longest), std::min(left.first_death, right.first_death)};
  }
  [[nodiscard]] std::size_t births_before(Time time) const {
    const auto at = std::partition_point(order_.begin(), order_.end(),
                                         [&](BufferIndex index) { return lives_[index].begin < time; });
    return static_cast<std::size_t>(at - order_.begin());
  }
  [[nodiscard]] std::tuple<Time, Bytes, std::int64_t> rank(std::size_t position) const {
    const Buffer& buffer = problem_.buffers[order_[position]];
    const auto place = static_cast<std::int64_t>(position);
    return {buffer.life.length(), ties_ == EquallyLong::kLargest ? buffer.size : 0, -place};
  }

  // Looks among the positions [from, to) for the best buffer that is dead by `end`; the node spans
  // [first, first + count).
  void search(std::size_t node, std::size_t first, std::size_t count, std::size_t from, std::size_t to,
              Time end) {
    if (first >= to || first + count <= from || nodes_[node].first_death > end) return;
    if (best_ != kNobody && nodes_[node].longest < std::get<0>(rank(best_))) return;
    if (count == 1) {
      if (best_ == kNobody || rank(first) > rank(best_)) best_ = first;
      return;
    }
    const std::size_t half = count / 2;
    const bool left_first = nodes_[node * 2].longest >= nodes_[node * 2 + 1].longest;
    if (left_first) search(node * 2, first, half, from, to, end);
    search(node * 2 + 1, first + half, half, from, to, end);
    if (!left_first) search(node * 2, first, half, from, to, end);
  }

  const Problem& problem_;
  const std::vector<Lifetime>& lives_;
  EquallyLong ties_;
  std::vector<BufferIndex> order_;
  std::size_t leaves_ = 1;
  std::vector<Node> nodes_;
  std::size_t best_ = kNobody;
};

// The stretches of the skyline, by time and by height.
class Skyline {
 public:
  explicit Skyline(Time sections) { add({0, sections}, 0); }

  struct Stretch {
    Lifetime time;
    Offset height;
  };
  [[nodiscard]] Stretch lowest() const {
    const auto [low, begin] = *by_height_.begin();
    return {{begin, by_time_.at(begin).end}, low};
  }

  // Raises a part of the lowest stretch.
  void cover(const Stretch& stretch, const Lifetime& part, Offset top) {
    remove(stretch.time.begin);
    if (stretch.time.begin < part.begin) add({stretch.time.begin, part.begin}, stretch.height);
    if (part.end < stretch.time.end) add({part.end, stretch.time.end}, stretch.height);
    add(part, top);
  }

  // Raises the whole stretch to its lower neighbour and unites them. It has a neighbour: a stretch as wide as
  // the strip holds every buffer, so it is only lifted when no buffer waits any more.
  void lift(const Stretch& stretch) {
    const auto at = by_time_.find(stretch.time.begin);
    const auto after = std::next(at);
    const bool has_left = at != by_time_.begin();
    const Offset left = has_left ? std::prev(at)->second.height : kNone;
    const Offset right = after != by_time_.end() ? after->second.height : kNone;
    Lifetime united = stretch.time;
    if (left <= right) united.begin = std::prev(at)->first;
    if (right <= left) united.end = after->second.end;
    remove(stretch.time.begin);
    if (left <= right) remove(united.begin);
    if (right <= left) remove(stretch.time.end);
    add(united, std::min(left, right));
  }

 private:
  static constexpr Offset kNone = std::numeric_limits<Offset>::max();

  struct Tail {
    Time end;
    Offset height;
  };

  void add(const Lifetime& time, Offset height) {
    by_time_[time.begin] = {time.end, height};
    by_height_.emplace(height, time.begin);
  }
  void remove(Time begin) {
    const auto at = by_time_.find(begin);
    by_height_.erase({at->second.height, begin});
    by_time_.erase(at);
  }

  std::map<Time, Tail> by_time_;
  std::set<std::pair<Offset, Time>> by_height_;
};

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, pack_strip(problem, EquallyLong::kFirstBorn));
}

}  // namespace

Offsets pack_strip(const Problem& problem, EquallyLong ties) {
  const std::vector<Lifetime> lives = section_lifetimes(problem);
  Time sections = 1;
  for (const Lifetime& life : lives) sections = std::max(sections, life.end);
  Waiting waiting(problem, lives, ties);
  Skyline skyline(sections);
  Offsets offsets(problem.buffers.size());
  for (std::size_t left = problem.buffers.size(); left > 0;) {
    const Skyline::Stretch stretch = skyline.lowest();
    const std::optional<BufferIndex> index = waiting.take_longest_within(stretch.time);
    if (!index) {
      skyline.lift(stretch);
      continue;
    }
    const Buffer& buffer = problem.buffers[*index];
    offsets[*index] = align_up(stretch.height, buffer.alignment);
    skyline.cover(stretch, lives[*index], offsets[*index] + buffer.size);
    --left;
  }
  return offsets;
}

const Strategy kStripPacking = {
    .name = "strip-packing",
    .summary = "On the lowest stretch of the skyline, the longest-lived buffer that fits into it",
    .cost = "O(n log n) steps, a pruned search in each",
    .guarantee = "none; often the best of the simple heuristics",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
