#include "planner/literature/shared_size_improved.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "planner/literature/shared_objects.h"
#include "planner/literature/shared_size.h"
#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

constexpr Time kNoObject = std::numeric_limits<Time>::max();

// Assigns the buffers of one stage.
class Stage {
 public:
  Stage(const Problem& problem, SharedObjects& objects) : problem_(problem), objects_(objects) {}

  void add(BufferIndex buffer) { waiting_.push_back({buffer}); }

  // Assigns all buffers. Returns false if the budget ran out first.
  bool run(Budget& budget) {
    for (Waiting& one : waiting_) look_everywhere(one);
    while (!waiting_.empty() && budget.spend()) assign_next();
    return waiting_.empty();
  }

 private:
  struct Waiting {
    BufferIndex buffer;
    SharedObjects::Object nearest = 0;
    Time distance = kNoObject;
  };

  void assign_next() {
    const auto next =
        std::min_element(waiting_.begin(), waiting_.end(),
                         [this](const Waiting& a, const Waiting& b) { return key(a) < key(b); });
    const Waiting chosen = *next;
    *next = waiting_.back();
    waiting_.pop_back();
    SharedObjects::Object changed = chosen.nearest;
    if (chosen.distance == kNoObject) {
      changed = objects_.create(chosen.buffer);
    } else {
      objects_.assign(changed, chosen.buffer);
    }
    for (Waiting& one : waiting_) update(one, changed);
  }

  // Updates the distance of a waiting buffer. Only the object that changed can have come nearer, or be taken.
  void update(Waiting& one, SharedObjects::Object changed) {
    if (one.distance != kNoObject && one.nearest == changed) {
      look_everywhere(one);
    } else {
      look_at(one, changed);
    }
  }

  void look_everywhere(Waiting& one) {
    one.distance = kNoObject;
    for (SharedObjects::Object object = 0; object < objects_.count(); ++object) look_at(one, object);
  }

  void look_at(Waiting& one, SharedObjects::Object object) {
    const std::optional<Time> distance = objects_.distance(object, one.buffer);
    if (!distance || *distance >= one.distance) return;
    one.nearest = object;
    one.distance = *distance;
  }

  [[nodiscard]] std::tuple<Time, Bytes, BufferIndex> key(const Waiting& one) const {
    return {one.distance, -problem_.buffers[one.buffer].size, one.buffer};
  }

  const Problem& problem_;
  SharedObjects& objects_;
  std::vector<Waiting> waiting_;
};

// Returns the number of the stage: even between two positional maxima, odd for buffers as large as one.
std::ptrdiff_t stage_of(Bytes size, const std::vector<Bytes>& maxima) {
  const auto [equal, smaller] = std::equal_range(maxima.begin(), maxima.end(), size, std::greater<>());
  return 2 * (equal - maxima.begin()) + (equal == smaller ? 0 : 1);
}

std::optional<SharedObjects> share_in_stages(const Problem& problem, const Limits& limits) {
  Budget budget = Budget::of_time(limits);
  const std::vector<Bytes> maxima = positional_maxima(problem);
  const std::vector<BufferIndex> order = size_order(problem);
  SharedObjects objects(problem);
  for (std::size_t i = 0; i < order.size();) {
    Stage stage(problem, objects);
    const auto stage_at = [&](std::size_t k) { return stage_of(problem.buffers[order[k]].size, maxima); };
    const std::ptrdiff_t number = stage_at(i);
    for (; i < order.size() && stage_at(i) == number; ++i) stage.add(order[i]);
    if (!stage.run(budget)) return std::nullopt;
  }
  return objects;
}

Outcome solve(const Problem& problem, const Limits& limits) {
  const std::optional<SharedObjects> staged = share_in_stages(problem, limits);
  if (!staged) return out_of_time(problem);
  Outcome by_size = kSharedSize.solve(problem, limits);
  Outcome in_stages = conclude_objects(problem, *staged);
  const bool worse =
      in_stages.offsets.empty() || (!by_size.offsets.empty() && by_size.height < in_stages.height);
  return worse ? std::move(by_size) : std::move(in_stages);
}

}  // namespace

const Strategy kSharedSizeImproved = {
    .name = "shared-size-improved",
    .summary = "Whole objects used one after another; in stages of like size, the shortest idle time first",
    .cost = "O(n^2 log n)",
    .guarantee = "never above shared-size",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
