#include "planner/placing/contention.h"

#include <algorithm>
#include <numeric>

namespace memo::planner {

std::vector<Bytes> live_in_sections(const Problem& problem, std::span<const Lifetime> sections) {
  Time count = 0;
  for (const Lifetime& life : sections) count = std::max(count, life.end);
  std::vector<Bytes> live(static_cast<std::size_t>(count) + 1);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    live[static_cast<std::size_t>(sections[i].begin)] += problem.buffers[i].size;
    live[static_cast<std::size_t>(sections[i].end)] -= problem.buffers[i].size;
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  return live;
}

}  // namespace memo::planner
