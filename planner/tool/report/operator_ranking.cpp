#include "planner/tool/report/operator_ranking.h"

#include <algorithm>

#include "planner/problem/events.h"
#include "planner/tool/report/live_bytes.h"

namespace memo::planner {
namespace {

Bytes peak_without(const Picture& picture, const std::vector<Event>& events, std::uint32_t oper) {
  Bytes live = 0;
  Bytes peak = 0;
  for (const Event& event : events) {
    if (picture.oper[event.index] == oper) continue;
    const Bytes size = picture.problem.buffers[event.index].size;
    live += event.birth ? size : -size;
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace

std::vector<RankedOperator> rank_operators(const Picture& picture) {
  std::vector<RankedOperator> ranking(picture.operators.names().size());
  for (std::size_t i = 0; i < picture.problem.buffers.size(); ++i) {
    RankedOperator& one = ranking[picture.oper[i]];
    ++one.buffers;
    one.bytes += picture.problem.buffers[i].size;
  }
  const Peak peak = peak_of(picture.problem);
  for (const BufferIndex index : peak.buffers)
    ranking[picture.oper[index]].at_peak += picture.problem.buffers[index].size;
  const std::vector<Event> events = sorted_events(picture.problem);
  for (std::uint32_t oper = 0; oper < ranking.size(); ++oper) {
    ranking[oper].oper = oper;
    ranking[oper].peak_without = ranking[oper].at_peak > 0 ? peak_without(picture, events, oper) : peak.bytes;
  }
  std::erase_if(ranking, [](const RankedOperator& one) { return one.buffers == 0; });
  std::ranges::stable_sort(ranking, std::ranges::greater{}, &RankedOperator::bytes);
  return ranking;
}

}  // namespace memo::planner
