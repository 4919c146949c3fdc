#include "planner/literature/nnc_page.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "planner/placing/conflicts.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/placing/squeeze.h"

namespace memo::planner {
namespace {

using Tuple = std::vector<BufferIndex>;

// The buffers that have no place yet, and what the selection knows of them.
class Waiting {
 public:
  explicit Waiting(const Problem& problem)
      : problem_(problem), overlaps_(conflict_counts(problem)), by_overlaps_(all_indices(problem)) {
    by_size_ = by_overlaps_;
    std::stable_sort(by_overlaps_.begin(), by_overlaps_.end(),
                     [&](BufferIndex a, BufferIndex b) { return overlaps_[a] > overlaps_[b]; });
    std::stable_sort(by_size_.begin(), by_size_.end(), [&](BufferIndex a, BufferIndex b) {
      return std::tie(problem.buffers[a].size, overlaps_[a]) >
             std::tie(problem.buffers[b].size, overlaps_[b]);
    });
  }

  [[nodiscard]] bool empty() const { return by_overlaps_.empty(); }

  // Returns the candidates of a round, the best first.
  [[nodiscard]] std::vector<Tuple> candidates() const {
    std::vector<Tuple> found;
    for (const BufferIndex buffer : by_overlaps_) {
      if (overlaps_[buffer] != overlaps_[by_overlaps_.front()]) break;
      Tuple tuple{buffer};
      found.push_back(tuple);
      while (tuple.size() < kMostOfATuple && add_larger(tuple)) found.push_back(tuple);
    }
    std::stable_sort(found.begin(), found.end(),
                     [this](const Tuple& a, const Tuple& b) { return rank(a) > rank(b); });
    return found;
  }

  void remove(const Tuple& tuple) {
    const auto inserted = [&](BufferIndex i) {
      return std::find(tuple.begin(), tuple.end(), i) != tuple.end();
    };
    std::erase_if(by_overlaps_, inserted);
    std::erase_if(by_size_, inserted);
  }

 private:
  static constexpr std::size_t kMostOfATuple = 3;

  // Adds the largest buffer that is larger than the first of the tuple and never lives beside any of it.
  bool add_larger(Tuple& tuple) const {
    const Bytes least = problem_.buffers[tuple.front()].size;
    for (const BufferIndex other : by_size_) {
      if (problem_.buffers[other].size <= least) return false;
      const auto overlaps = [&](BufferIndex i) {
        return problem_.buffers[i].life.overlaps(problem_.buffers[other].life);
      };
      if (std::none_of(tuple.begin(), tuple.end(), overlaps)) {
        tuple.push_back(other);
        return true;
      }
    }
    return false;
  }

  // Returns the largest size, the edges, and last the number of buffers: the page does not say what decides a tie.
  [[nodiscard]] std::tuple<Bytes, std::size_t, std::size_t> rank(const Tuple& tuple) const {
    Bytes largest = 0;
    std::size_t edges = 0;
    for (const BufferIndex i : tuple) {
      largest = std::max(largest, problem_.buffers[i].size);
      edges += overlaps_[i];
    }
    return {largest, edges, tuple.size()};
  }

  const Problem& problem_;
  std::vector<std::size_t> overlaps_;
  std::vector<BufferIndex> by_overlaps_;
  std::vector<BufferIndex> by_size_;
};

// The edges: bytes at `offset` that are idle from the end of one buffer until the birth of another.
class AllocationGraph {
 public:
  explicit AllocationGraph(const Problem& problem) : problem_(problem), offsets_(problem.buffers.size()) {}

  // Inserts the first candidate that an edge has room for, or else the first. Returns which.
  const Tuple& insert_one(const std::vector<Tuple>& candidates) {
    for (const Tuple& tuple : candidates) {
      const std::optional<std::size_t> edge = edge_for(tuple);
      if (!edge) continue;
      insert(tuple, *edge);
      return tuple;
    }
    edges_.push_back({kStart, kEnd, largest(candidates.front()), total_});
    total_ += edges_.back().bytes;
    insert(candidates.front(), edges_.size() - 1);
    return candidates.front();
  }

  [[nodiscard]] const Offsets& offsets() const { return offsets_; }

 private:
  static constexpr Time kStart = std::numeric_limits<Time>::min();
  static constexpr Time kEnd = std::numeric_limits<Time>::max();

  struct Edge {
    Time from;
    Time until;
    Bytes bytes;
    Offset offset;
  };

  [[nodiscard]] Bytes largest(const Tuple& tuple) const {
    Bytes most = 0;
    for (const BufferIndex i : tuple) most = std::max(most, problem_.buffers[i].size);
    return most;
  }

  // Returns an edge between two buffers, neither the source nor the sink.
  [[nodiscard]] std::optional<std::size_t> edge_for(const Tuple& tuple) const {
    const Bytes bytes = largest(tuple);
    Lifetime life = problem_.buffers[tuple.front()].life;
    for (const BufferIndex i : tuple) {
      life.begin = std::min(life.begin, problem_.buffers[i].life.begin);
      life.end = std::max(life.end, problem_.buffers[i].life.end);
    }
    const auto found = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& edge) {
      return edge.bytes >= bytes && edge.from != kStart && edge.until != kEnd && edge.from <= life.begin &&
             life.end <= edge.until;
    });
    if (found == edges_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - edges_.begin());
  }

  // Takes the tuple's bytes off the edge and hands them from buffer to buffer in the order of time.
  void insert(Tuple tuple, std::size_t edge) {
    std::sort(tuple.begin(), tuple.end(), [&](BufferIndex a, BufferIndex b) {
      return problem_.buffers[a].life.begin < problem_.buffers[b].life.begin;
    });
    const Bytes bytes = largest(tuple);
    std::vector<Edge> held{{edges_[edge].from, edges_[edge].until, bytes, edges_[edge].offset}};
    edges_[edge].bytes -= bytes;
    edges_[edge].offset += bytes;
    for (const BufferIndex i : tuple) held = hand_on(held, i);
    edges_.insert(edges_.end(), held.begin(), held.end());
    std::erase_if(edges_, [](const Edge& each) { return each.bytes == 0; });
  }

  // Gives the lowest bytes to the buffer, from all that held them last. Returns who holds which bytes now.
  std::vector<Edge> hand_on(const std::vector<Edge>& held, BufferIndex buffer) {
    const Buffer& taker = problem_.buffers[buffer];
    const Offset begin = held.front().offset;
    offsets_[buffer] = begin;
    std::vector<Edge> after{{taker.life.end, held.front().until, taker.size, begin}};
    for (const Edge& edge : held) {
      const Bytes taken = std::clamp<Bytes>(begin + taker.size - edge.offset, 0, edge.bytes);
      if (taken > 0) edges_.push_back({edge.from, taker.life.begin, taken, edge.offset});
      if (taken < edge.bytes)
        after.push_back({edge.from, edge.until, edge.bytes - taken, edge.offset + taken});
    }
    return after;
  }

  const Problem& problem_;
  std::vector<Edge> edges_;
  Offsets offsets_;
  Bytes total_ = 0;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  Budget budget = Budget::of_time(limits);
  const std::optional<Offsets> loose = nnc_page_loose_plan(problem, budget);
  return loose ? conclude(problem, squeeze(problem, *loose)) : out_of_time(problem);
}

}  // namespace

std::optional<Offsets> nnc_page_loose_plan(const Problem& problem, Budget& budget) {
  Waiting waiting(problem);
  AllocationGraph graph(problem);
  while (!waiting.empty()) {
    const std::vector<Tuple> candidates = waiting.candidates();
    if (!budget.spend(candidates.size())) return std::nullopt;
    waiting.remove(graph.insert_one(candidates));
  }
  return graph.offsets();
}

const Strategy kNncPage = {
    .name = "nnc-page",
    .summary = "NNC's flow of idle bytes with the page's candidates: tuples of up to three; squeezed",
    .cost = "O(n^3) at worst",
    .guarantee = "none",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
