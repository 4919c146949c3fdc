#include "planner/literature/greedy_order.h"

#include <set>
#include <utility>

#include "planner/literature/shared_objects.h"
#include "planner/placing/outcome.h"
#include "planner/problem/events.h"

namespace memo::planner {
namespace {

using Object = SharedObjects::Object;
using FreeObjects = std::set<std::pair<Bytes, Object>>;  // the free objects by size

class Walk {
 public:
  explicit Walk(const Problem& problem)
      : problem_(problem), objects_(problem), holds_(problem.buffers.size()) {}

  void birth(BufferIndex buffer) {
    const auto found = nearest_in_size(buffer);
    if (found == free_.end()) {
      holds_[buffer] = objects_.create(buffer);
      return;
    }
    holds_[buffer] = found->second;
    free_.erase(found);
    objects_.assign(holds_[buffer], buffer);
  }
  void death(BufferIndex buffer) { free_.emplace(objects_.size(holds_[buffer]), holds_[buffer]); }
  [[nodiscard]] const SharedObjects& objects() const { return objects_; }

 private:
  [[nodiscard]] FreeObjects::const_iterator nearest_in_size(BufferIndex buffer) const {
    const Bytes size = problem_.buffers[buffer].size;
    const auto middle = free_.lower_bound({size, 0});
    auto above = middle;
    while (above != free_.end() && !objects_.suits(above->second, buffer)) ++above;
    auto below = middle;
    while (below != free_.begin()) {
      --below;
      if (!objects_.suits(below->second, buffer)) continue;
      const bool nearer = above == free_.end() || size - below->first < above->first - size;
      return nearer ? below : above;
    }
    return above;
  }

  const Problem& problem_;
  SharedObjects objects_;
  std::vector<Object> holds_;
  FreeObjects free_;
};

Outcome solve(const Problem& problem, const Limits&) {
  Walk walk(problem);
  follow_events(problem, walk);
  return conclude_objects(problem, walk.objects());
}

}  // namespace

const Strategy kGreedyOrder = {
    .name = "greedy-order",
    .summary = "Whole objects in the order of execution; each buffer takes the free one nearest in size",
    .cost = "O(n log n)",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
