#include "planner/literature/mincost_flow.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>

#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/squeeze.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostForAllEdges = 600;
constexpr std::ptrdiff_t kLatestDead = 8;
constexpr int kNearestOnEachSide = 8;
constexpr std::uint64_t kDefaultNodes = 20'000'000;
constexpr BufferIndex kNobody = std::numeric_limits<BufferIndex>::max();
constexpr Bytes kFar = std::numeric_limits<Bytes>::max();

using Candidates = std::vector<std::vector<BufferIndex>>;

std::vector<BufferIndex> sorted_by(const Problem& problem, Time Lifetime::*time) {
  std::vector<BufferIndex> order = all_indices(problem);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return problem.buffers[a].life.*time < problem.buffers[b].life.*time;
  });
  return order;
}

// The dead buffers by size; of equal sizes, the latest dead is last.
class Dead {
 public:
  void add(Bytes size, BufferIndex i) {
    by_death_.push_back(i);
    by_size_.insert({size, by_death_.size(), i});
  }

  [[nodiscard]] std::vector<BufferIndex> all() const { return by_death_; }

  // Returns the latest dead and, above and below `size`, the nearest in size.
  [[nodiscard]] std::vector<BufferIndex> near(Bytes size) const {
    const auto count = std::min(kLatestDead, static_cast<std::ptrdiff_t>(by_death_.size()));
    std::vector<BufferIndex> found(by_death_.end() - count, by_death_.end());
    const auto middle = by_size_.lower_bound({size + 1, 0, 0});
    auto below = middle;
    for (int k = 0; k < kNearestOnEachSide && below != by_size_.begin(); ++k)
      found.push_back((--below)->buffer);
    auto above = middle;
    for (int k = 0; k < kNearestOnEachSide && above != by_size_.end(); ++k)
      found.push_back((above++)->buffer);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  struct Entry {
    Bytes size;
    std::size_t rank_of_death;
    BufferIndex buffer;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::vector<BufferIndex> by_death_;
  std::set<Entry> by_size_;
};

// Returns for each buffer those that it may take over.
Candidates candidates_of(const Problem& problem) {
  const std::vector<Buffer>& buffers = problem.buffers;
  const std::vector<BufferIndex> by_death = sorted_by(problem, &Lifetime::end);
  auto next_death = by_death.begin();
  Dead dead;
  Candidates candidates(buffers.size());
  for (const BufferIndex i : sorted_by(problem, &Lifetime::begin)) {
    for (; next_death != by_death.end() && buffers[*next_death].life.end <= buffers[i].life.begin;
         ++next_death) {
      dead.add(buffers[*next_death].size, *next_death);
    }
    candidates[i] = buffers.size() <= kMostForAllEdges ? dead.all() : dead.near(buffers[i].size);
  }
  return candidates;
}

// The assignment, grown by one successor at a time. Potentials keep every reduced cost at zero or above, and
// that of every chosen edge at zero. So a shortest path by reduced costs is the cheapest way to rearrange.
class Assignment {
 public:
  Assignment(const Problem& problem, const Candidates& candidates)
      : problem_(problem),
        candidates_(candidates),
        successor_of_(problem.buffers.size(), kNobody),
        predecessor_of_(problem.buffers.size(), kNobody),
        object_potential_(problem.buffers.size()),
        successor_potential_(problem.buffers.size()),
        distance_(problem.buffers.size(), kFar),
        reached_from_(problem.buffers.size(), kNobody) {}

  void add(BufferIndex newcomer, Budget& budget) {
    forget_search();
    look_from(newcomer, 0);
    while (!queue_.empty() && queue_.top().distance < fresh_distance_) {
      const auto [distance, object] = queue_.top();
      queue_.pop();
      if (distance > distance_[object]) continue;
      if (!budget.spend()) return;
      if (successor_of_[object] == kNobody) return finish(newcomer, object, distance);
      settled_.push_back(object);
      look_from(successor_of_[object], distance);
    }
    finish(newcomer, kNobody, fresh_distance_);
  }

  [[nodiscard]] BufferIndex predecessor_of(BufferIndex i) const { return predecessor_of_[i]; }

 private:
  struct Reached {
    Bytes distance;
    BufferIndex object;
    friend bool operator<(const Reached& a, const Reached& b) {  // nearest on top, then least index
      return a.distance != b.distance ? a.distance > b.distance : a.object > b.object;
    }
  };

  void forget_search() {
    for (const BufferIndex object : touched_) distance_[object] = kFar;
    touched_.clear();
    settled_.clear();
    queue_ = {};
    fresh_distance_ = kFar;
  }

  // Looks at everything that `successor` could take over instead of what it has, at `so_far` from the newcomer.
  void look_from(BufferIndex successor, Bytes so_far) {
    const Bytes size = problem_.buffers[successor].size;
    const Bytes base = so_far - successor_potential_[successor];
    if (base + size < fresh_distance_) {
      fresh_distance_ = base + size;
      fresh_from_ = successor;
    }
    for (const BufferIndex object : candidates_[successor]) {
      const Bytes growth = std::max<Bytes>(0, size - problem_.buffers[object].size);
      const Bytes distance = base + growth - object_potential_[object];
      if (distance >= distance_[object] || distance >= fresh_distance_) continue;
      if (distance_[object] == kFar) touched_.push_back(object);
      distance_[object] = distance;
      reached_from_[object] = successor;
      queue_.push({distance, object});
    }
  }

  // Ends the search at a free object or (kNobody) at a fresh one, and rearranges along the path.
  void finish(BufferIndex newcomer, BufferIndex object, Bytes distance) {
    successor_potential_[newcomer] += distance;
    for (const BufferIndex settled : settled_) {
      const Bytes slack = distance - distance_[settled];
      object_potential_[settled] -= slack;
      successor_potential_[successor_of_[settled]] += slack;
    }
    BufferIndex successor = object == kNobody ? fresh_from_ : reached_from_[object];
    while (true) {
      const BufferIndex released = predecessor_of_[successor];
      predecessor_of_[successor] = object;
      if (object != kNobody) successor_of_[object] = successor;
      if (successor == newcomer) return;
      object = released;
      successor = reached_from_[object];
    }
  }

  const Problem& problem_;
  const Candidates& candidates_;
  std::vector<BufferIndex> successor_of_;
  std::vector<BufferIndex> predecessor_of_;
  std::vector<Bytes> object_potential_;     // 0 while the object is free, never above
  std::vector<Bytes> successor_potential_;  // never below 0

  std::vector<Bytes> distance_;
  std::vector<BufferIndex> reached_from_;
  std::vector<BufferIndex> touched_;
  std::vector<BufferIndex> settled_;
  std::priority_queue<Reached> queue_;
  Bytes fresh_distance_ = kFar;
  BufferIndex fresh_from_ = kNobody;
};

std::vector<BufferIndex> take_over(const Problem& problem, Budget& budget) {
  const Candidates candidates = candidates_of(problem);
  Assignment assignment(problem, candidates);
  for (const BufferIndex i : sorted_by(problem, &Lifetime::begin)) {
    if (!budget.exhausted()) assignment.add(i, budget);
  }
  std::vector<BufferIndex> takeovers = all_indices(problem);
  for (BufferIndex i = 0; i < takeovers.size(); ++i) {
    if (assignment.predecessor_of(i) != kNobody) takeovers[i] = assignment.predecessor_of(i);
  }
  return takeovers;
}

struct Object {
  Bytes size = 0;
  std::vector<BufferIndex> buffers;
};

// Returns the objects. A take-over always leads to an earlier buffer, so in the order of birth the chain's
// object is known.
std::vector<Object> objects_of(const Problem& problem, const std::vector<BufferIndex>& takeovers) {
  std::vector<Object> objects;
  std::vector<std::size_t> object_of(takeovers.size());
  for (const BufferIndex i : sorted_by(problem, &Lifetime::begin)) {
    const bool fresh = takeovers[i] == i;
    object_of[i] = fresh ? objects.size() : object_of[takeovers[i]];
    if (fresh) objects.emplace_back();
    Object& object = objects[object_of[i]];
    object.size = std::max(object.size, problem.buffers[i].size);
    object.buffers.push_back(i);
  }
  return objects;
}

Offsets end_to_end(const Problem& problem, std::vector<Object> objects) {
  std::stable_sort(objects.begin(), objects.end(),
                   [](const Object& a, const Object& b) { return a.size > b.size; });
  Offsets offsets(problem.buffers.size());
  Offset base = 0;
  for (const Object& object : objects) {
    for (const BufferIndex i : object.buffers) offsets[i] = base;
    base += object.size;
  }
  return offsets;
}

Outcome solve(const Problem& problem, const Limits& limits) {
  Budget budget(limits, kDefaultNodes);
  const std::vector<BufferIndex> takeovers = take_over(problem, budget);
  Outcome outcome = conclude(problem, squeeze(problem, end_to_end(problem, objects_of(problem, takeovers))));
  outcome.nodes = budget.spent();
  return outcome;
}

}  // namespace

std::vector<BufferIndex> cheapest_takeovers(const Problem& problem, const Limits& limits) {
  Budget budget(limits, kDefaultNodes);
  return take_over(problem, budget);
}

Bytes object_bytes(const Problem& problem, const std::vector<BufferIndex>& takeovers) {
  Bytes total = 0;
  for (const Object& object : objects_of(problem, takeovers)) total += object.size;
  return total;
}

const Strategy kMincostFlow = {
    .name = "mincost-flow",
    .summary = "Lee et al.: the cheapest assignment of who takes over whose memory, squeezed",
    .cost = "O(n * path search); all take-overs up to 600 buffers, 24 for each buffer beyond",
    .guarantee = "none; the take-overs are the cheapest by the sum of growth",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
