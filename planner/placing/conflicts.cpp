#include "planner/placing/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "planner/placing/placement.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostPairs = 50'000'000;

}  // namespace

// Counts for each buffer all others except those that end before it begins or begin after it ends.
std::vector<std::size_t> conflict_counts(const Problem& problem) {
  std::vector<Time> births;
  std::vector<Time> deaths;
  for (const Buffer& buffer : problem.buffers) {
    births.push_back(buffer.life.begin);
    deaths.push_back(buffer.life.end);
  }
  std::sort(births.begin(), births.end());
  std::sort(deaths.begin(), deaths.end());
  std::vector<std::size_t> counts;
  for (const Buffer& buffer : problem.buffers) {
    const auto born = std::lower_bound(births.begin(), births.end(), buffer.life.end) - births.begin();
    const auto dead = std::upper_bound(deaths.begin(), deaths.end(), buffer.life.begin) - deaths.begin();
    counts.push_back(static_cast<std::size_t>(born - dead) - 1);
  }
  return counts;
}

ConflictLists::ConflictLists(const Problem& problem) : first_(problem.buffers.size() + 1) {
  const std::vector<std::size_t> counts = conflict_counts(problem);
  std::partial_sum(counts.begin(), counts.end(), first_.begin() + 1);
  others_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  std::vector<BufferIndex> alive;
  for (const BufferIndex i : birth_order(problem)) {
    const Time now = problem.buffers[i].life.begin;
    std::erase_if(alive, [&](BufferIndex other) { return problem.buffers[other].life.end <= now; });
    for (const BufferIndex other : alive) {
      others_[next[i]++] = other;
      others_[next[other]++] = i;
    }
    alive.push_back(i);
  }
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
    const auto begin = others_.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(first_[i]),
              begin + static_cast<std::ptrdiff_t>(first_[i + 1]));
  }
}

std::string refusal_of_many_conflicts(const Problem& problem) {
  const std::vector<std::size_t> counts = conflict_counts(problem);
  const std::size_t pairs = std::accumulate(counts.begin(), counts.end(), std::size_t{0}) / 2;
  if (pairs <= kMostPairs) return {};
  return fmt::format(
      "it keeps every pair of overlapping buffers, and {} pairs are more than {}; "
      "boxing and gergov are made for such sizes",
      pairs, kMostPairs);
}

}  // namespace memo::planner
