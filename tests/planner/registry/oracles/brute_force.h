// The true optimum of a small problem, by looking at every plan that could be one.
//
// Take any plan and push its buffers down, lowest first, each until it rests on a multiple of its alignment just
// above what it overlaps in time: nothing rises, nothing collides, and a fixed buffer stays, since what lies below it
// only sank. So some order of the buffers, each dropped onto the earlier ones, reaches the optimum: try all n! of
// them. For up to 7 buffers or so. Knows nothing of the planner but the problem itself.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

class BruteForce {
 public:
  explicit BruteForce(const Problem& problem) : problem_(problem) {}

  // Returns nothing if the fixed buffers leave no plan at all. Ignores the capacity.
  std::optional<Bytes> least_height() {
    drop_next(0);
    return best_ == kNone ? std::nullopt : std::optional(best_);
  }

 private:
  static constexpr Bytes kNone = std::numeric_limits<Bytes>::max();

  struct Dropped {
    std::size_t index;
    Offset top;
  };

  void drop_next(Bytes height) {
    if (height >= best_) return;
    if (dropped_.size() == problem_.buffers.size()) {
      best_ = height;
      return;
    }
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (is_dropped(i)) continue;
      const std::optional<Offset> offset = resting_place(problem_.buffers[i]);
      if (!offset) continue;
      const Offset top = *offset + problem_.buffers[i].size;
      dropped_.push_back({i, top});
      drop_next(std::max(height, top));
      dropped_.pop_back();
    }
  }

  [[nodiscard]] bool is_dropped(std::size_t index) const {
    return std::any_of(dropped_.begin(), dropped_.end(),
                       [index](const Dropped& d) { return d.index == index; });
  }

  // Returns nothing for a fixed buffer whose place is taken.
  [[nodiscard]] std::optional<Offset> resting_place(const Buffer& buffer) const {
    Offset lowest = 0;
    for (const Dropped& below : dropped_) {
      if (problem_.buffers[below.index].life.overlaps(buffer.life)) lowest = std::max(lowest, below.top);
    }
    if (buffer.fixed) return *buffer.fixed >= lowest ? buffer.fixed : std::nullopt;
    return (lowest + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
  }

  const Problem& problem_;
  std::vector<Dropped> dropped_;
  Bytes best_ = kNone;
};

inline std::optional<Bytes> brute_force_height(const Problem& problem) {
  return BruteForce(problem).least_height();
}

}  // namespace memo::planner
