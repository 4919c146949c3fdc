#include "planner/literature/tela_phases.h"

#include <algorithm>
#include <map>
#include <utility>

#include "planner/placing/contention.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

constexpr int kLevels = 10;

using Phase = std::vector<BufferIndex>;

// Returns the most contended section of a life; the earliest of several.
std::size_t worst_section(const std::vector<Bytes>& live, const Lifetime& life) {
  return static_cast<std::size_t>(std::max_element(live.begin() + life.begin, live.begin() + life.end) -
                                  live.begin());
}

// Returns the first section of the stretch around `section` in which at least `level` bytes are alive.
std::size_t stretch_of(const std::vector<Bytes>& live, std::size_t section, Bytes level) {
  while (section > 0 && live[section - 1] >= level) --section;
  return section;
}

}  // namespace

std::vector<std::vector<BufferIndex>> contention_phases(const Problem& problem) {
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  const std::vector<Bytes> live = live_in_sections(problem, sections);
  const Bytes peak = *std::max_element(live.begin(), live.end());
  // Sorted by level from the top, then by the moment at which the stretch begins.
  std::map<std::pair<Bytes, std::size_t>, Phase> phases;
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].fixed) continue;
    const std::size_t worst = worst_section(live, sections[i]);
    const Bytes below_peak = (peak - live[worst]) / (peak / kLevels + 1);
    const Bytes level = peak - (below_peak + 1) * (peak / kLevels + 1) + 1;
    phases[{below_peak, stretch_of(live, worst, level)}].push_back(i);
  }
  std::vector<Phase> ordered;
  ordered.reserve(phases.size());
  for (auto& [key, phase] : phases) ordered.push_back(std::move(phase));
  return ordered;
}

}  // namespace memo::planner
