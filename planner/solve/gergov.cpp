#include "planner/solve/gergov.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/squeeze.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

constexpr Time kForever = std::numeric_limits<Time>::max();
constexpr Time kNever = std::numeric_limits<Time>::min();

// The buffers that have no base yet, by birth, in a tournament tree over the time of their death.
class UnplacedByBirth {
 public:
  explicit UnplacedByBirth(const std::vector<Buffer>& buffers) : buffers_(buffers), order_(buffers.size()) {
    for (BufferIndex i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto key = [&](BufferIndex i) {
      return std::tuple(buffers[i].life.begin, -buffers[i].life.end, i);
    };
    std::sort(order_.begin(), order_.end(), [&](BufferIndex a, BufferIndex b) { return key(a) < key(b); });
    while (leaves_ < order_.size()) leaves_ *= 2;
    deaths_.resize(leaves_ * 2);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Time death = buffers[order_[i]].life.end;
      deaths_[leaves_ + i] = {death, death};
    }
    for (std::size_t node = leaves_ - 1; node > 0; --node) update(node);
  }

  // Takes the first buffer by birth with born_from <= birth < born_before and dies_after < death <= dies_until.
  std::optional<BufferIndex> take(Time born_from, Time born_before, Time dies_after, Time dies_until) {
    const std::size_t low = rank(born_from);
    const std::size_t high = rank(born_before);
    const std::size_t found = find(1, 0, leaves_, {low, high, dies_after, dies_until});
    if (found == leaves_) return std::nullopt;
    remove(found);
    return order_[found];
  }

 private:
  struct Deaths {
    Time earliest = kForever;
    Time latest = kNever;
  };
  struct Query {
    std::size_t low, high;
    Time dies_after, dies_until;
  };

  std::size_t rank(Time birth) const {
    const auto at = std::partition_point(order_.begin(), order_.end(),
                                         [&](BufferIndex i) { return buffers_[i].life.begin < birth; });
    return static_cast<std::size_t>(at - order_.begin());
  }

  void update(std::size_t node) {
    const Deaths& left = deaths_[node * 2];
    const Deaths& right = deaths_[node * 2 + 1];
    deaths_[node] = {std::min(left.earliest, right.earliest), std::max(left.latest, right.latest)};
  }

  void remove(std::size_t position) {
    deaths_[leaves_ + position] = {};
    for (std::size_t node = (leaves_ + position) / 2; node > 0; node /= 2) update(node);
  }

  // Finds the first matching leaf below a node. Skips a node that lies outside the ranks, or whose deaths are
  // all too early or all too late. A node with some of either kind may be searched in vain, which is rare.
  std::size_t find(std::size_t node, std::size_t begin, std::size_t end, const Query& query) const {
    if (end <= query.low || begin >= query.high) return leaves_;
    if (deaths_[node].latest <= query.dies_after || deaths_[node].earliest > query.dies_until) return leaves_;
    if (end - begin == 1) return begin;
    const std::size_t middle = begin + (end - begin) / 2;
    const std::size_t found = find(node * 2, begin, middle, query);
    return found != leaves_ ? found : find(node * 2 + 1, middle, end, query);
  }

  const std::vector<Buffer>& buffers_;
  std::vector<BufferIndex> order_;
  std::size_t leaves_ = 1;
  std::vector<Deaths> deaths_;
};

// Does step 1. `bases` is by buffer; `order` is the order of placement.
class TwoAllocation {
 public:
  explicit TwoAllocation(const std::vector<Buffer>& buffers)
      : bases(buffers.size()), buffers_(buffers), unplaced_(buffers) {
    open({0, kNever, kForever});
    while (order.size() < buffers.size()) drop_onto(close_lowest());
  }

  Offsets bases;
  std::vector<BufferIndex> order;

 private:
  struct Segment {
    Bytes height;
    Time begin, end;
    friend bool operator<(const Segment& a, const Segment& b) {  // lowest, then earliest, on top of the queue
      return std::tie(a.height, a.begin) > std::tie(b.height, b.begin);
    }
  };

  void open(const Segment& segment) {
    if (segment.begin >= segment.end) return;
    queue_.push(segment);
    open_.emplace(segment.begin, segment.end);
  }

  Segment close_lowest() {
    const Segment lowest = queue_.top();
    queue_.pop();
    open_.erase(lowest.begin);
    return lowest;
  }

  // Drops the first buffer that reaches into this segment and into no other open one. Without such a buffer,
  // the segment stays closed.
  void drop_onto(const Segment& segment) {
    const auto after = open_.lower_bound(segment.begin);
    const Time open_from = after == open_.end() ? kForever : after->first;
    const Time open_until = after == open_.begin() ? kNever : std::prev(after)->second;
    const auto found = unplaced_.take(open_until, segment.end, segment.begin, open_from);
    if (!found) return;
    const Lifetime& life = buffers_[*found].life;
    bases[*found] = segment.height;
    order.push_back(*found);
    open({segment.height, segment.begin, life.begin});
    open({segment.height + buffers_[*found].size, std::max(segment.begin, life.begin),
          std::min(segment.end, life.end)});
    open({segment.height, life.end, segment.end});
  }

  const std::vector<Buffer>& buffers_;
  UnplacedByBirth unplaced_;
  std::priority_queue<Segment> queue_;
  std::map<Time, Time> open_;  // begin → end of the segments in the queue
};

// Does step 2: returns the least colour in which the buffer collides with no buffer placed before it.
std::size_t colour_of(BufferIndex buffer, Offset base, Bytes size, const Problem& problem,
                      std::vector<Occupancy>& colours) {
  std::size_t colour = 0;
  while (colour < colours.size() && !colours[colour].is_free(buffer, base, size)) ++colour;
  if (colour == colours.size()) colours.emplace_back(problem);
  colours[colour].occupy(buffer, base, size);
  return colour;
}

// Returns the unit to which sizes are rounded up: the largest alignment if all others divide it, else 1.
Bytes common_granule(const Problem& problem) {
  Bytes largest = 1;
  for (const Buffer& buffer : problem.buffers) largest = std::max(largest, buffer.alignment);
  const auto divides = [largest](const Buffer& buffer) { return largest % buffer.alignment == 0; };
  return std::all_of(problem.buffers.begin(), problem.buffers.end(), divides) ? largest : 1;
}

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, squeeze(problem, gergov_loose_plan(problem)));
}

}  // namespace

Offsets gergov_loose_plan(const Problem& problem) {
  std::vector<Buffer> rounded = problem.buffers;
  const Bytes granule = common_granule(problem);
  for (Buffer& buffer : rounded) buffer.size = align_up(buffer.size, granule);
  const TwoAllocation two(rounded);
  Bytes layer = 0;
  for (const BufferIndex i : two.order) layer = std::max(layer, two.bases[i] + rounded[i].size);
  std::vector<Occupancy> colours;
  Offsets offsets(rounded.size());
  for (const BufferIndex i : two.order) {
    const std::size_t colour = colour_of(i, two.bases[i], rounded[i].size, problem, colours);
    offsets[i] = two.bases[i] + static_cast<Bytes>(colour) * layer;
  }
  return offsets;
}

const Strategy kGergov = {
    .name = "gergov",
    .summary = "Gergov's 3-approximation: two-allocation, three colours, then a squeeze",
    .cost = "O(n log^2 n)",
    .guarantee = "at most 3 * LOAD (of sizes rounded up to the largest alignment); none with fixed offsets",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
