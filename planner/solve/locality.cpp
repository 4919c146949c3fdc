#include "planner/solve/locality.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "planner/placing/conflicts.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

constexpr std::size_t kRecent = 32;      // freed buffers that a birth may be moved onto
constexpr double kCacheBytes = 1 << 20;  // the size of a core's second-level cache
constexpr std::size_t kMostPairs = 4'000'000;

struct Extent {
  Offset begin;
  Offset end;
};

Bytes shared_bytes(Extent a, Extent b) {
  return std::max<Bytes>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

std::vector<BufferIndex> sorted_by(const Problem& problem, Time Lifetime::*moment) {
  std::vector<BufferIndex> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](BufferIndex a, BufferIndex b) {
    return problem.buffers[a].life.*moment < problem.buffers[b].life.*moment;
  });
  return order;
}

// Visits the births in order, each with the buffers that died last before it, the most recent last.
template <typename Visit>
void for_each_birth(const Problem& problem, const Visit& visit) {
  const std::vector<BufferIndex> births = sorted_by(problem, &Lifetime::begin);
  const std::vector<BufferIndex> deaths = sorted_by(problem, &Lifetime::end);
  std::size_t dead = 0;
  for (const BufferIndex born : births) {
    while (dead < deaths.size() && problem.buffers[deaths[dead]].life.end <= problem.buffers[born].life.begin)
      ++dead;
    const std::size_t first = dead > kRecent ? dead - kRecent : 0;
    visit(born, std::span(deaths).subspan(first, dead - first));
  }
}

class Warmer {
 public:
  Warmer(const Problem& problem, Offsets offsets) : problem_(problem), offsets_(std::move(offsets)) {}

  [[nodiscard]] Extent extent(BufferIndex buffer) const { return at(buffer, offsets_[buffer]); }
  [[nodiscard]] Extent at(BufferIndex buffer, Offset offset) const {
    return {offset, offset + problem_.buffers[buffer].size};
  }

  // Returns the bytes shared with each of the recently freed buffers. They count the less, the more has been
  // freed since.
  [[nodiscard]] double warmth_at(Extent place, std::span<const BufferIndex> recent) const {
    double sum = 0;
    Bytes since = 0;
    for (auto freed = recent.rbegin(); freed != recent.rend(); ++freed) {
      const double weight = kCacheBytes / (kCacheBytes + static_cast<double>(since));
      sum += weight * static_cast<double>(shared_bytes(place, extent(*freed)));
      since += problem_.buffers[*freed].size;
    }
    return sum;
  }

  void warm(BufferIndex born, std::span<const BufferIndex> recent, std::span<const BufferIndex> neighbours,
            Bytes top) {
    if (problem_.buffers[born].fixed || problem_.buffers[born].size == 0) return;
    double best = warmth_at(extent(born), recent);
    for (const BufferIndex freed : recent) {
      for (const Offset candidate : beside(born, freed)) {
        const Extent place = at(born, candidate);
        const double warmth = warmth_at(place, recent);
        if (warmth <= best || place.end > top || !is_free(place, neighbours)) continue;
        best = warmth;
        offsets_[born] = candidate;
      }
    }
  }

  [[nodiscard]] Offsets take() { return std::move(offsets_); }

 private:
  // Returns two places for the new buffer: one that begins where the freed buffer began, and one that ends
  // where it ended.
  [[nodiscard]] std::array<Offset, 2> beside(BufferIndex born, BufferIndex freed) const {
    const Buffer& buffer = problem_.buffers[born];
    const Extent there = extent(freed);
    const Offset low = align_up(there.begin, buffer.alignment);
    const Offset high = std::max<Offset>(0, there.end - buffer.size) / buffer.alignment * buffer.alignment;
    return {low, high};
  }
  [[nodiscard]] bool is_free(Extent place, std::span<const BufferIndex> neighbours) const {
    return std::none_of(neighbours.begin(), neighbours.end(),
                        [&](BufferIndex other) { return shared_bytes(place, extent(other)) > 0; });
  }

  const Problem& problem_;
  Offsets offsets_;
};

bool has_many_pairs(const Problem& problem) {
  const std::vector<std::size_t> counts = conflict_counts(problem);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0}) > 2 * kMostPairs;
}

}  // namespace

Offsets prefer_recent_bytes(const Problem& problem, const Offsets& offsets) {
  if (offsets.empty() || has_many_pairs(problem)) return offsets;
  const Bytes top = height(problem, offsets);
  const ConflictLists conflicts(problem);
  Warmer warmer(problem, offsets);
  for_each_birth(problem, [&](BufferIndex born, std::span<const BufferIndex> recent) {
    warmer.warm(born, recent, conflicts.of(born), top);
  });
  Offsets warmed = warmer.take();
  // A moved buffer takes its warmth from the buffers after it, and rarely they lose more than it gains.
  return warmth(problem, warmed) > warmth(problem, offsets) ? warmed : offsets;
}

double warmth(const Problem& problem, const Offsets& offsets) {
  const Warmer warmer(problem, offsets);
  double warm = 0;
  double all = 0;
  for_each_birth(problem, [&](BufferIndex born, std::span<const BufferIndex> recent) {
    const auto size = static_cast<double>(problem.buffers[born].size);
    warm += std::min(size, warmer.warmth_at(warmer.extent(born), recent));
    all += size;
  });
  return all > 0 ? warm / all : 0;
}

}  // namespace memo::planner
