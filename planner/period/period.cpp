#include "planner/period/period.h"

#include <algorithm>

#include "planner/period/beginnings.h"
#include "planner/period/candidates.h"
#include "planner/period/choice.h"
#include "planner/period/stretches.h"

namespace memo::planner {
namespace {

// Numbers of steps at each thread's end in which the search looks for the anchor.
constexpr std::size_t kLargestWindow = std::size_t{1} << 17;
constexpr std::size_t kSmallestWindow = std::size_t{1} << 10;
// Share of the steps of the threads with passes. A window with so many is all passes.
constexpr double kSteady = 0.9;
constexpr std::size_t kMostTried = 1024;  // candidates tried in a window: bounds the time of the search

// Returns how unevenly the places lie; 1 for a context that comes at equal distances.
double unevenness(const std::vector<StepIndex::Place>& places) {
  double sum = 0;
  double squares = 0;
  double gaps = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (places[i].thread != places[i + 1].thread) continue;
    const double gap = places[i + 1].step - places[i].step;
    sum += gap;
    squares += gap * gap;
    gaps += 1;
  }
  return sum == 0 ? 0 : squares * gaps / (sum * sum);
}

bool may_be_anchor(const StepIndex& index, ContextId context, std::size_t steps) {
  const std::size_t occurrences = index.occurrences(context);
  return occurrences > kLeastRuns && occurrences * kLeastSteps <= steps && !index.irregular(context);
}

std::vector<ContextId> worth_trying(const StepIndex& index, const std::vector<bool>& may_open) {
  std::size_t steps = 0;
  for (const Sequence& thread : index.threads()) steps += thread.size();
  std::vector<std::pair<double, ContextId>> ranked;
  for (ContextId context = 0; context < index.contexts(); ++context)
    if (may_open[context] && may_be_anchor(index, context, steps))
      ranked.emplace_back(unevenness(index.places(context)), context);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMostTried) ranked.resize(kMostTried);
  std::vector<ContextId> contexts;
  contexts.reserve(ranked.size());
  for (const auto& [uneven, context] : ranked) contexts.push_back(context);
  return contexts;
}

// Returns the ends of the threads, because the steady state comes last.
std::vector<Sequence> ends_of(std::span<const Sequence> threads, std::size_t window) {
  std::vector<Sequence> ends;
  for (const Sequence& thread : threads) {
    const std::size_t skipped = thread.size() - std::min(thread.size(), window);
    Sequence& end = ends.emplace_back(thread.begin() + static_cast<std::ptrdiff_t>(skipped), thread.end());
    for (Step& step : end)
      if (step.freed_at != UINT32_MAX)
        step.freed_at -= std::min(step.freed_at, static_cast<std::uint32_t>(skipped));
  }
  return ends;
}

// Returns the decision between all anchors of a window. `occurrences` counts those in the whole trace.
std::optional<Decision> decide_in(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                                  const std::vector<std::size_t>& occurrences, Deadline& deadline) {
  const StepIndex index(threads);
  const Totals totals = totals_of(index);
  std::vector<Candidate> candidates;
  for (const ContextId context : worth_trying(index, may_open)) {
    if (deadline.passed()) break;
    Candidate& candidate = candidates.emplace_back(judge(index, totals, context));
    candidate.idle = static_cast<double>(occurrences[context]) - candidate.passes;
  }
  return choose(candidates);
}

std::vector<std::size_t> count_occurrences(std::span<const Sequence> threads, std::size_t contexts) {
  std::vector<std::size_t> occurrences(contexts, 0);
  for (const Sequence& thread : threads)
    for (const Step& step : thread) ++occurrences[step.context];
  return occurrences;
}

struct Choices {
  std::vector<Choice> choices;
  bool steady = false;  // there is one choice, from a window that is all passes
};

// Returns the choice of the largest window that is all passes. What came before these passes (loading, warming
// up) recurs in parts by chance, and in a smaller window the rounds of a loop within the passes would win.
// Where no window is all passes, returns the choice of each window, the largest window first.
Choices choose_anchors(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                       Deadline& deadline) {
  const std::vector<std::size_t> occurrences = count_occurrences(threads, may_open.size());
  std::vector<Choice> choices;
  for (std::size_t window = kLargestWindow; window >= kSmallestWindow && !deadline.passed(); window /= 2) {
    const auto decision = decide_in(ends_of(threads, window), may_open, occurrences, deadline);
    if (!decision) continue;
    Choice choice = summary_of(*decision);
    choice.window = window;
    if (decision->standings[decision->chosen].candidate.steady >= kSteady)
      return {.choices = {choice}, .steady = true};
    const auto is_same = [&](const Choice& other) { return other.anchor == choice.anchor; };
    if (std::none_of(choices.begin(), choices.end(), is_same)) choices.push_back(choice);
  }
  return {.choices = std::move(choices)};
}

std::optional<Period> passes_of(const StepIndex& index, const Choice& choice) {
  Division division = divide(index, choice.anchor);
  leave_out_what_stays(index, division.passes);
  keep_worthwhile(index.threads(), division.passes);
  const Figures figures = figures_of(index, choice.anchor, division.passes);
  if (!are_enough(division.passes, figures)) return std::nullopt;
  return Period{.anchor = choice.anchor,
                .passes = std::move(division.passes),
                .stretches = figures.stretches,
                .covered = figures.covered,
                .choice = choice};
}

}  // namespace

std::optional<Period> find_period(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                                  Deadline& deadline) {
  const Choices found = choose_anchors(threads, may_open, deadline);
  if (found.choices.empty() || deadline.over()) return std::nullopt;
  const StepIndex index(threads);
  for (const Choice& choice : found.choices) {
    if (deadline.over()) break;
    std::optional<Period> period = passes_of(index, choice);
    if (!period) continue;
    period->steady = found.steady;
    return period;
  }
  return std::nullopt;
}

}  // namespace memo::planner
