#include "planner/literature/nnc.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "planner/placing/conflicts.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/squeeze.h"

namespace memo::planner {
namespace {

// Births and deaths as ranks, so that the distance in time does not depend on the clock's unit.
struct Ranks {
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> end;
  std::int32_t count = 0;
};

Ranks ranks_of(const Problem& problem) {
  std::vector<Time> times;
  for (const Buffer& buffer : problem.buffers) {
    times.push_back(buffer.life.begin);
    times.push_back(buffer.life.end);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto rank = [&times](Time time) {
    return static_cast<std::int32_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
  };
  Ranks ranks{.begin = {}, .end = {}, .count = static_cast<std::int32_t>(times.size())};
  for (const Buffer& buffer : problem.buffers) {
    ranks.begin.push_back(rank(buffer.life.begin));
    ranks.end.push_back(rank(buffer.life.end));
  }
  return ranks;
}

// The edges: bytes idle from `from` until `until`, at `offset` of their group. The ends of a group have no
// rank. They count as one whole pass away, so that a slot between two buffers wins.
class FlowGraph {
 public:
  explicit FlowGraph(const Ranks& ranks) : ranks_(ranks) {}

  // Returns where buffer `i` goes in the slab.
  Offset insert(BufferIndex i, Bytes size) {
    const std::size_t edge = tightest_edge(i, size).value_or(from_.size());
    if (edge == from_.size()) {
      add(kStart, kEnd, size, total_);
      total_ += size;
    }
    return split(edge, i, size);
  }

 private:
  static constexpr std::int32_t kStart = std::numeric_limits<std::int32_t>::min();
  static constexpr std::int32_t kEnd = std::numeric_limits<std::int32_t>::max();

  void add(std::int32_t from, std::int32_t until, Bytes bytes, Offset offset) {
    from_.push_back(from);
    until_.push_back(until);
    bytes_.push_back(bytes);
    offset_.push_back(offset);
  }

  std::int32_t idle_time(std::size_t edge, BufferIndex i) const {
    const std::int32_t before = from_[edge] == kStart ? ranks_.count : ranks_.begin[i] - from_[edge];
    const std::int32_t after = until_[edge] == kEnd ? ranks_.count : until_[edge] - ranks_.end[i];
    return before + after;
  }

  std::optional<std::size_t> tightest_edge(BufferIndex i, Bytes size) const {
    std::optional<std::size_t> best;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::size_t edge = 0; edge < from_.size(); ++edge) {
      if (bytes_[edge] < size || from_[edge] > ranks_.begin[i] || until_[edge] < ranks_.end[i]) continue;
      const std::int32_t idle = idle_time(edge, i);
      if (idle >= least) continue;
      least = idle;
      best = edge;
    }
    return best;
  }

  Offset split(std::size_t edge, BufferIndex i, Bytes size) {
    const Offset offset = offset_[edge];
    add(from_[edge], ranks_.begin[i], size, offset);
    add(ranks_.end[i], until_[edge], size, offset);
    bytes_[edge] -= size;
    offset_[edge] += size;
    if (bytes_[edge] == 0) remove(edge);
    return offset;
  }

  void remove(std::size_t edge) {
    from_[edge] = from_.back();
    until_[edge] = until_.back();
    bytes_[edge] = bytes_.back();
    offset_[edge] = offset_.back();
    from_.pop_back();
    until_.pop_back();
    bytes_.pop_back();
    offset_.pop_back();
  }

  const Ranks& ranks_;
  // Kept as columns, since the search reads three of them for every edge.
  std::vector<std::int32_t> from_;
  std::vector<std::int32_t> until_;
  std::vector<Bytes> bytes_;
  std::vector<Offset> offset_;
  Bytes total_ = 0;
};

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, squeeze(problem, nnc_loose_plan(problem)));
}

}  // namespace

Offsets nnc_loose_plan(const Problem& problem) {
  const Ranks ranks = ranks_of(problem);
  const std::vector<std::size_t> conflicts = conflict_counts(problem);
  std::vector<BufferIndex> order = all_indices(problem);
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return std::tie(problem.buffers[a].size, conflicts[a]) > std::tie(problem.buffers[b].size, conflicts[b]);
  });
  FlowGraph graph(ranks);
  Offsets offsets(problem.buffers.size());
  for (const BufferIndex i : order) offsets[i] = graph.insert(i, problem.buffers[i].size);
  return offsets;
}

const Strategy kNnc = {
    .name = "nnc",
    .summary =
        "libnnc's flow of idle bytes: largest first, each into the slot that is tightest in time; squeezed",
    .cost = "O(n^2)",
    .guarantee = "none",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
