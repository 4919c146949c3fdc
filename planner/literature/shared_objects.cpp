#include "planner/literature/shared_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"
#include "planner/problem/events.h"

namespace memo::planner {
namespace {

bool one_divides_the_other(Bytes a, Bytes b) {
  return a % b == 0 || b % a == 0;
}

std::vector<Lifetime>::const_iterator first_after(const std::vector<Lifetime>& lives, Time time) {
  return std::partition_point(lives.begin(), lives.end(),
                              [time](const Lifetime& life) { return life.begin < time; });
}

// The sizes of the live buffers, largest first.
class LiveSizes {
 public:
  void add(Bytes size) { sizes_.insert(place(size), size); }
  void remove(Bytes size) { sizes_.erase(place(size)); }
  void raise(std::vector<Bytes>& maxima) const {
    if (maxima.size() < sizes_.size()) maxima.resize(sizes_.size(), 0);
    for (std::size_t k = 0; k < sizes_.size(); ++k) maxima[k] = std::max(maxima[k], sizes_[k]);
  }

 private:
  std::vector<Bytes>::iterator place(Bytes size) {
    return std::lower_bound(sizes_.begin(), sizes_.end(), size, std::greater<>());
  }
  std::vector<Bytes> sizes_;
};

}  // namespace

SharedObjects::SharedObjects(const Problem& problem)
    : problem_(problem), object_of_(problem.buffers.size()) {}

std::optional<Time> SharedObjects::distance(Object object, BufferIndex buffer) const {
  const State& state = objects_[object];
  const Buffer& wanted = problem_.buffers[buffer];
  if (!one_divides_the_other(state.alignment, wanted.alignment)) return std::nullopt;
  Time nearest = std::numeric_limits<Time>::max();
  const auto after = first_after(state.lives, wanted.life.begin);
  if (after != state.lives.end()) nearest = after->begin - wanted.life.end;
  if (after != state.lives.begin()) nearest = std::min(nearest, wanted.life.begin - std::prev(after)->end);
  return nearest >= 0 ? std::optional(nearest) : std::nullopt;
}

bool SharedObjects::suits(Object object, BufferIndex buffer) const {
  return distance(object, buffer).has_value();
}

SharedObjects::Object SharedObjects::create(BufferIndex buffer) {
  const auto object = static_cast<Object>(objects_.size());
  objects_.emplace_back();
  by_size_.emplace(0, object);
  assign(object, buffer);
  return object;
}

void SharedObjects::assign(Object object, BufferIndex buffer) {
  const Buffer& user = problem_.buffers[buffer];
  State& state = objects_[object];
  if (user.size > state.size) {
    by_size_.erase({state.size, object});
    by_size_.emplace(user.size, object);
    state.size = user.size;
  }
  state.alignment = std::max(state.alignment, user.alignment);
  state.lives.insert(first_after(state.lives, user.life.begin), user.life);
  object_of_[buffer] = object;
}

std::optional<SharedObjects::Object> SharedObjects::best_by_size(BufferIndex buffer) const {
  const auto large_enough = by_size_.lower_bound({problem_.buffers[buffer].size, 0});
  for (auto it = large_enough; it != by_size_.end(); ++it) {
    if (suits(it->second, buffer)) return it->second;
  }
  for (auto it = large_enough; it != by_size_.begin();) {
    if (suits((--it)->second, buffer)) return it->second;
  }
  return std::nullopt;
}

std::optional<SharedObjects::Object> SharedObjects::oldest_large_enough(BufferIndex buffer) const {
  for (Object object = 0; object < objects_.size(); ++object) {
    if (objects_[object].size >= problem_.buffers[buffer].size && suits(object, buffer)) return object;
  }
  return std::nullopt;
}

void SharedObjects::assign_by_size(BufferIndex buffer, LargeEnough choice) {
  std::optional<Object> object;
  if (choice == LargeEnough::kOldest) object = oldest_large_enough(buffer);
  if (!object) object = best_by_size(buffer);
  if (object) {
    assign(*object, buffer);
  } else {
    create(buffer);
  }
}

Offsets SharedObjects::lay_end_to_end() const {
  std::vector<Offset> start(objects_.size());
  Offset next = 0;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    start[i] = align_up(next, objects_[i].alignment);
    next = start[i] + objects_[i].size;
  }
  Offsets offsets;
  offsets.reserve(object_of_.size());
  for (const Object object : object_of_) offsets.push_back(start[object]);
  return offsets;
}

std::vector<Bytes> positional_maxima(const Problem& problem) {
  std::vector<Bytes> maxima;
  LiveSizes live;
  bool grown = false;  // since the last update of the maxima, which can only rise before a death
  for (const Event& event : sorted_events(problem)) {
    if (event.birth) {
      live.add(problem.buffers[event.index].size);
      grown = true;
      continue;
    }
    if (std::exchange(grown, false)) live.raise(maxima);
    live.remove(problem.buffers[event.index].size);
  }
  return maxima;
}

Bytes shared_objects_bound(const Problem& problem) {
  const std::vector<Bytes> maxima = positional_maxima(problem);
  return std::accumulate(maxima.begin(), maxima.end(), Bytes{0});
}

Outcome share_in_order(const Problem& problem, std::span<const BufferIndex> order, LargeEnough choice) {
  SharedObjects objects(problem);
  for (const BufferIndex index : order) objects.assign_by_size(index, choice);
  return conclude_objects(problem, objects);
}

Outcome conclude_objects(const Problem& problem, const SharedObjects& objects) {
  Outcome outcome = conclude(problem, objects.lay_end_to_end());
  if (outcome.note.empty()) {
    outcome.note = fmt::format("{} whole objects; no set of whole objects takes less than {} bytes",
                               objects.count(), shared_objects_bound(problem));
  }
  return outcome;
}

}  // namespace memo::planner
