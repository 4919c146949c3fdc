#include "planner/problem/soundness.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "planner/problem/events.h"

namespace memo::planner {
namespace {

std::string unsound_buffer(const Buffer& buffer) {
  if (buffer.size < 1) return fmt::format("has size {}; sizes start at 1", buffer.size);
  if (buffer.alignment < 1) return fmt::format("has alignment {}; alignments start at 1", buffer.alignment);
  if (buffer.life.begin >= buffer.life.end) {
    return fmt::format("lives from {} to {}; a lifetime ends after it begins", buffer.life.begin,
                       buffer.life.end);
  }
  if (buffer.fixed && *buffer.fixed < 0) return fmt::format("is fixed at {}, below the slab", *buffer.fixed);
  if (buffer.fixed && *buffer.fixed % buffer.alignment != 0) {
    return fmt::format("is fixed at {}, which is no multiple of its alignment {}", *buffer.fixed,
                       buffer.alignment);
  }
  return {};
}

// Returns what one buffer can add to the height of any plan a strategy makes. The result saturates.
Bytes reach(const Buffer& buffer) {
  const Bytes fixed = std::min(buffer.fixed.value_or(0), kMostBytes);
  const Bytes size = std::min(buffer.size, kMostBytes);
  return std::min(kMostBytes, std::min(kMostBytes, size + fixed) + std::min(buffer.alignment, kMostBytes));
}

// The fixed buffers alive at one moment of the sweep, by offset. They are disjoint, so a new buffer need only
// be compared with its two neighbours.
class LiveFixed {
 public:
  explicit LiveFixed(const Problem& problem) : problem_(problem) {}

  // Returns the live buffer that shares bytes with the new one, if any.
  [[nodiscard]] std::optional<BufferIndex> collision(BufferIndex index) const {
    const Buffer& buffer = problem_.buffers[index];
    const auto above = live_.lower_bound(*buffer.fixed);
    if (above != live_.end() && above->first < *buffer.fixed + buffer.size) return above->second;
    if (above == live_.begin()) return std::nullopt;
    const BufferIndex below = std::prev(above)->second;
    return end_of(below) > *buffer.fixed ? std::optional(below) : std::nullopt;
  }
  void add(BufferIndex index) { live_.emplace(*problem_.buffers[index].fixed, index); }
  void remove(BufferIndex index) { live_.erase(*problem_.buffers[index].fixed); }

 private:
  [[nodiscard]] Offset end_of(BufferIndex index) const {
    return *problem_.buffers[index].fixed + problem_.buffers[index].size;
  }

  const Problem& problem_;
  std::map<Offset, BufferIndex> live_;
};

}  // namespace

std::optional<FixedCollision> fixed_collision(const Problem& problem) {
  LiveFixed live(problem);
  for (const Event& event : sorted_events(problem)) {
    if (!problem.buffers[event.index].fixed) continue;
    if (!event.birth) {
      live.remove(event.index);
      continue;
    }
    if (const auto other = live.collision(event.index)) return FixedCollision{*other, event.index};
    live.add(event.index);
  }
  return std::nullopt;
}

std::string unsound(const Problem& problem) {
  Bytes total = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (std::string why = unsound_buffer(problem.buffers[i]); !why.empty()) {
      return fmt::format("buffer {} {}", i, why);
    }
    total = std::min(kMostBytes, total + reach(problem.buffers[i]));
  }
  if (total >= kMostBytes) return "the sizes, alignments and fixed offsets add up to more than 4 EiB";
  if (const auto collision = fixed_collision(problem)) {
    return fmt::format("buffers {} and {} are fixed on the same bytes while both are alive", collision->first,
                       collision->second);
  }
  return {};
}

}  // namespace memo::planner
