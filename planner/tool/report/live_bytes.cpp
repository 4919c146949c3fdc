#include "planner/tool/report/live_bytes.h"

#include <algorithm>

#include "planner/problem/events.h"

namespace memo::planner {
namespace {

std::vector<BufferIndex> alive_at(const Problem& problem, Time time) {
  std::vector<BufferIndex> alive;
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].life.overlaps({time, time + 1})) alive.push_back(i);
  }
  std::stable_sort(alive.begin(), alive.end(), [&](BufferIndex a, BufferIndex b) {
    return problem.buffers[a].size > problem.buffers[b].size;
  });
  return alive;
}

}  // namespace

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

Peak peak_of(const Problem& problem) {
  const std::vector<LiveStep> steps = live_bytes(problem);
  if (steps.empty()) return {};
  const auto highest = std::max_element(steps.begin(), steps.end(),
                                        [](const LiveStep& a, const LiveStep& b) { return a.live < b.live; });
  // No buffer is alive in the last step. Only a plan from elsewhere with senseless lifetimes has its peak
  // there.
  if (std::next(highest) == steps.end()) return {};
  Peak peak{.during = {highest->begin, std::next(highest)->begin}, .bytes = highest->live, .buffers = {}};
  peak.buffers = alive_at(problem, highest->begin);
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    if (step != highest) peak.elsewhere = std::max(peak.elsewhere, step->live);
  }
  return peak;
}

}  // namespace memo::planner
