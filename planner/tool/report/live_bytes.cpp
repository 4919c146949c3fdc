#include "planner/tool/report/live_bytes.h"

#include "planner/problem/events.h"

namespace memo::planner {

std::vector<LiveStep> live_bytes(const Problem& problem) {
  std::vector<LiveStep> steps;
  Bytes live = 0;
  for (const Event& event : sorted_events(problem)) {
    const Bytes size = problem.buffers[event.index].size;
    live += event.birth ? size : -size;
    if (!steps.empty() && steps.back().begin == event.time) {
      steps.back().live = live;
    } else {
      steps.push_back({event.time, live});
    }
  }
  return steps;
}

}  // namespace memo::planner
