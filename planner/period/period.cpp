#include "planner/period/period.h"

#include <algorithm>

#include "planner/period/beginnings.h"
#include "planner/period/candidates.h"
#include "planner/period/stretches.h"

namespace memo::planner {
namespace {

// Numbers of steps at each thread's end in which the search looks for the anchor.
constexpr std::size_t kLargestWindow = std::size_t{1} << 17;
constexpr std::size_t kSmallestWindow = std::size_t{1} << 10;
constexpr double kSteady =
    0.9;  // share of the steps of the threads with passes, in a window that is all passes
constexpr std::size_t kMostTried = 1024;  // candidates tried
constexpr double kAboutAsMuch = 0.98;     // share of what the best candidate would serve
constexpr double kNotMuchLess = 0.8;      // the same share, for a candidate that is steadier
constexpr double kAboutAsSteady = 0.9;    // share of the steadiest candidate's steadiness
constexpr double kLeakingAlike = 2;       // times what the tightest candidate leaks,
constexpr double kLeakedBytes = 4096;     // and so many bytes more,
constexpr double kLeakedSteps = 4;        // and so many steps more
constexpr double kAboutAsLong = 1.1;      // times the length of the shortest candidate
constexpr double kInVain = 0.25;          // share of the passes: so many more stretches may be no passes
constexpr double kAboutAsDeep = 256;      // bytes of stack below the shallowest candidate
constexpr double kTheSame = 0.999;        // share of the best score that counts as equal to it
constexpr double kAboutAsOften = 2;       // times the idle occurrences of the anchor that has the fewest

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

template <typename Keep>
void keep_if(std::vector<Candidate>& candidates, const Keep& keep) {
  std::erase_if(candidates, [&](const Candidate& candidate) { return !keep(candidate); });
}

template <typename Value>
double largest(const std::vector<Candidate>& candidates, const Value& value) {
  double most = value(candidates.front());
  for (const Candidate& candidate : candidates) most = std::max(most, value(candidate));
  return most;
}

template <typename Value>
double least(const std::vector<Candidate>& candidates, const Value& value) {
  return -largest(candidates, [&](const Candidate& one) { return -value(one); });
}

// Prefers anchors that make passes of all that some threads do. Other threads, which load weights or warm up,
// may by chance add a little more that looks like passes.
void prefer_steady(std::vector<Candidate>& candidates) {
  const double best = largest(candidates, [](const Candidate& one) { return one.score; });
  const double steadiest = largest(
      candidates, [&](const Candidate& one) { return one.score >= best * kNotMuchLess ? one.steady : 0; });
  keep_if(candidates, [&](const Candidate& one) { return one.steady >= steadiest * kAboutAsSteady; });
}

std::optional<Candidate> choose(std::vector<Candidate> candidates) {
  keep_if(candidates, [](const Candidate& one) { return one.score > 0; });
  if (candidates.empty()) return std::nullopt;
  const auto score = [](const Candidate& one) { return one.score; };
  prefer_steady(candidates);
  const double best = largest(candidates, score);
  keep_if(candidates, [&](const Candidate& one) { return one.score >= best * kAboutAsMuch; });
  const double tightest = least(candidates, [](const Candidate& one) { return one.leaked_steps; });
  const double tightest_bytes = least(candidates, [](const Candidate& one) { return one.leaked_bytes; });
  keep_if(candidates, [&](const Candidate& one) {
    return one.leaked_steps <= tightest * kLeakingAlike + kLeakedSteps &&
           one.leaked_bytes <= tightest_bytes * kLeakingAlike + kLeakedBytes;
  });
  if (candidates.empty()) return std::nullopt;
  const double shortest = least(candidates, [](const Candidate& one) { return one.steps; });
  keep_if(candidates, [&](const Candidate& one) { return one.steps <= shortest * kAboutAsLong; });
  const double rarest = least(candidates, [](const Candidate& one) { return one.idle; });
  keep_if(candidates, [&](const Candidate& one) { return one.idle <= rarest * kAboutAsOften + one.passes; });
  const double fewest = least(candidates, [](const Candidate& one) { return one.vain; });
  keep_if(candidates, [&](const Candidate& one) { return one.vain <= fewest + one.passes * kInVain; });
  const double shallowest = least(candidates, [](const Candidate& one) { return one.depth; });
  keep_if(candidates, [&](const Candidate& one) { return one.depth <= shallowest + kAboutAsDeep; });
  const double best_of_these = largest(candidates, score);
  keep_if(candidates, [&](const Candidate& one) { return one.score >= best_of_these * kTheSame; });
  return *std::max_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.wait < b.wait; });
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

// Returns the best candidate. `occurrences` counts those in the whole trace.
std::optional<Candidate> best_in(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                                 const std::vector<std::size_t>& occurrences, Deadline& deadline) {
  const StepIndex index(threads);
  const Totals totals = totals_of(index);
  std::vector<Candidate> candidates;
  for (const ContextId context : worth_trying(index, may_open)) {
    if (deadline.passed()) break;
    Candidate& candidate = candidates.emplace_back(judge(index, totals, context));
    candidate.idle = static_cast<double>(occurrences[context]) - candidate.passes;
  }
  return choose(std::move(candidates));
}

std::vector<std::size_t> count_occurrences(std::span<const Sequence> threads, std::size_t contexts) {
  std::vector<std::size_t> occurrences(contexts, 0);
  for (const Sequence& thread : threads)
    for (const Step& step : thread) ++occurrences[step.context];
  return occurrences;
}

struct Anchors {
  std::vector<ContextId> contexts;
  bool steady = false;  // there is one anchor, from a window that is all passes
};

// Returns the anchor of the largest window that is all passes. What came before these passes (loading, warming
// up) recurs in parts by chance, and in a smaller window the rounds of a loop within the passes would win.
// Where no window is all passes, returns the anchor of each window, the largest window first.
Anchors find_anchors(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                     Deadline& deadline) {
  const std::vector<std::size_t> occurrences = count_occurrences(threads, may_open.size());
  std::vector<ContextId> anchors;
  for (std::size_t window = kLargestWindow; window >= kSmallestWindow && !deadline.passed(); window /= 2) {
    const std::optional<Candidate> found = best_in(ends_of(threads, window), may_open, occurrences, deadline);
    if (found && found->steady >= kSteady) return {.contexts = {found->anchor}, .steady = true};
    if (found && std::find(anchors.begin(), anchors.end(), found->anchor) == anchors.end())
      anchors.push_back(found->anchor);
  }
  return {.contexts = std::move(anchors)};
}

std::optional<Period> passes_of(const StepIndex& index, ContextId anchor) {
  Division division = divide(index, anchor);
  leave_out_what_stays(index, division.passes);
  keep_worthwhile(index.threads(), division.passes);
  const Figures figures = figures_of(index, anchor, division.passes);
  if (!are_enough(division.passes, figures)) return std::nullopt;
  return Period{.anchor = anchor,
                .passes = std::move(division.passes),
                .stretches = figures.stretches,
                .covered = figures.covered};
}

}  // namespace

std::optional<Period> find_period(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                                  Deadline& deadline) {
  const Anchors anchors = find_anchors(threads, may_open, deadline);
  if (anchors.contexts.empty()) return std::nullopt;
  const StepIndex index(threads);
  for (const ContextId anchor : anchors.contexts) {
    std::optional<Period> period = passes_of(index, anchor);
    if (!period) continue;
    period->steady = anchors.steady;
    return period;
  }
  return std::nullopt;
}

}  // namespace memo::planner
