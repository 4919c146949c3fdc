#include "planner/problem/events.h"

#include <algorithm>

namespace memo::planner {

std::vector<Event> sorted_events(const Problem& problem) {
  std::vector<Event> events;
  events.reserve(problem.buffers.size() * 2);
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    events.push_back({problem.buffers[i].life.begin, true, i});
    events.push_back({problem.buffers[i].life.end, false, i});
  }
  std::sort(events.begin(), events.end());
  return events;
}

}  // namespace memo::planner
