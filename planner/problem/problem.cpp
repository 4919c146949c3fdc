#include "planner/problem/problem.h"

#include <algorithm>
#include <utility>

namespace memo::planner {

Bytes peak_live_bytes(const Problem& problem) {
  // Deaths sort before births of the same moment, because lifetimes are half-open.
  std::vector<std::pair<Time, Bytes>> events;
  events.reserve(problem.buffers.size() * 2);
  for (const Buffer& buffer : problem.buffers) {
    events.emplace_back(buffer.life.begin, buffer.size);
    events.emplace_back(buffer.life.end, -buffer.size);
  }
  std::sort(events.begin(), events.end());
  Bytes live = 0;
  Bytes peak = 0;
  for (const auto& [time, change] : events) {
    live += change;
    peak = std::max(peak, live);
  }
  return peak;
}

Bytes height(const Problem& problem, const Offsets& offsets) {
  Bytes top = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) top = std::max(top, offsets[i] + problem.buffers[i].size);
  return top;
}

}  // namespace memo::planner
