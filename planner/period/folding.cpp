#include "planner/period/folding.h"

#include <algorithm>

namespace memo::planner {
namespace {

constexpr std::uint32_t kMostSteps = 32;  // of one iteration

struct Repetition {
  std::uint32_t steps = 1;
  std::uint32_t count = 1;

  [[nodiscard]] std::uint32_t covered() const { return steps * count; }
};

// Returns the repetition at a step that covers most, of the shortest iterations.
Repetition repetition_at(const Sequence& steps, std::uint32_t begin) {
  Repetition best;
  const auto end = static_cast<std::uint32_t>(steps.size());
  for (std::uint32_t length = 1; length <= kMostSteps && begin + 2 * length <= end; ++length) {
    std::uint32_t at = begin;
    while (at + length < end && steps[at].context == steps[at + length].context) ++at;
    const Repetition here{.steps = length, .count = (at - begin) / length + 1};
    if (here.count > 1 && here.covered() > best.covered()) best = here;
  }
  return best;
}

}  // namespace

Folded fold_repetitions(const Sequence& steps) {
  Folded folded;
  for (std::uint32_t at = 0; at < steps.size();) {
    const Repetition repetition = repetition_at(steps, at);
    for (std::uint32_t i = 0; i < repetition.steps; ++i) {
      folded.steps.push_back(steps[at + i]);
      folded.begins.push_back(at + i);
    }
    at += repetition.covered();
  }
  folded.begins.push_back(static_cast<std::uint32_t>(steps.size()));
  for (Step& step : folded.steps) {
    if (step.freed_at == UINT32_MAX) continue;
    const auto at = std::lower_bound(folded.begins.begin(), folded.begins.end(), step.freed_at);
    step.freed_at = static_cast<std::uint32_t>(at - folded.begins.begin());
  }
  return folded;
}

Stretch unfolded(const Folded& folded, const Stretch& stretch) {
  Stretch own{.thread = stretch.thread,
              .begin = folded.begins[stretch.begin],
              .end = folded.begins[stretch.end],
              .next = folded.begins[stretch.next],
              .strays = {}};
  for (const std::uint32_t stray : stretch.strays)
    for (std::uint32_t step = folded.begins[stray]; step < folded.begins[stray + 1]; ++step)
      own.strays.push_back(step);
  return own;
}

}  // namespace memo::planner
