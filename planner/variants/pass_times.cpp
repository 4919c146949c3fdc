#include "planner/variants/pass_times.h"

#include <algorithm>
#include <utility>

namespace memo::planner {

void PassTimes::add(const PassTimes& others) {
  duration += others.duration;
  begun.resize(std::max(begun.size(), others.begun.size()));
  for (std::size_t i = 0; i < others.begun.size(); ++i) begun[i] += others.begun[i];
}

PassTimes times_of(const Pass& pass) {
  PassTimes times{.duration = pass.end_ns - std::min(pass.begin_ns, pass.end_ns), .begun = {}};
  times.begun.reserve(pass.allocations.size());
  for (const Allocation& allocation : pass.allocations)
    times.begun.push_back(allocation.begin_ns - std::min(pass.begin_ns, allocation.begin_ns));
  return times;
}

std::uint32_t most_at_once(std::span<const Pass> passes) {
  std::vector<std::pair<std::uint64_t, int>> changes;  // time, and one pass more or less; ends come first
  for (const Pass& pass : passes) {
    if (!pass.complete || pass.begin_ns >= pass.end_ns) continue;
    changes.emplace_back(pass.begin_ns, 1);
    changes.emplace_back(pass.end_ns, -1);
  }
  std::ranges::sort(changes);
  int running = 0;
  int most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, running += change);
  return static_cast<std::uint32_t>(most);
}

std::vector<double> shares_of_time(const PassTimes& times, std::size_t allocations) {
  if (times.duration == 0 || times.begun.size() != allocations)
    return std::vector<double>(allocations, 1.0 / static_cast<double>(std::max<std::size_t>(allocations, 1)));
  std::vector<double> shares;
  for (std::size_t i = 0; i < allocations; ++i) {
    const std::uint64_t next = i + 1 < allocations ? times.begun[i + 1] : times.duration;
    const std::uint64_t between = next - std::min(next, times.begun[i]);
    shares.push_back(static_cast<double>(between) / static_cast<double>(times.duration));
  }
  return shares;
}

}  // namespace memo::planner
