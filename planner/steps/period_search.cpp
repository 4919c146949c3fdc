#include "planner/steps/period_search.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "planner/period/folding.h"
#include "planner/period/stretches.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostAnchors = 8;
// Passes found by sites and sizes that account for so much are the program's. Others may be parts of its passes that
// happen to have the same sizes, such as one operator of each.
constexpr double kCoversMost = 0.9;
constexpr double kCoversMore = 0.02;  // what passes found in sites alone must account for beyond them

// Finds the passes of one anchor after the other. The next search leaves out the threads whose passes are
// found, and no anchor may occur in them.
class Search {
 public:
  explicit Search(std::vector<Sequence> sequences, std::vector<bool> may_open)
      : sequences_(std::move(sequences)), may_open_(std::move(may_open)) {}

  std::optional<Period> next(Deadline& deadline) {
    std::optional<Period> period = find_period(sequences_, may_open_, deadline);
    if (!period) return std::nullopt;
    for (const Stretch& pass : period->passes) settle(pass.thread);
    return period;
  }

 private:
  void settle(std::uint32_t thread) {
    for (const Step& step : sequences_[thread]) may_open_[step.context] = false;
    sequences_[thread].clear();
  }

  std::vector<Sequence> sequences_;
  std::vector<bool> may_open_;
};

// Finds periods until none is left. Where some threads do nothing but passes in the end, what recurred for a
// while in other threads is how these loaded the network.
std::vector<Period> find_periods(std::vector<Sequence> sequences, std::vector<bool> may_open,
                                 Deadline& deadline) {
  Search search(std::move(sequences), std::move(may_open));
  std::vector<Period> periods;
  while (periods.size() < kMostAnchors) {
    std::optional<Period> period = search.next(deadline);
    if (!period) break;
    periods.push_back(*std::move(period));
  }
  const auto is_steady = [](const Period& period) { return period.steady; };
  if (std::any_of(periods.begin(), periods.end(), is_steady)) std::erase_if(periods, std::not_fn(is_steady));
  return periods;
}

Findings find_by_site_and_size(std::span<const TraceThread> threads, std::span<const TraceView> views,
                               Deadline& deadline) {
  Findings found;
  std::vector<Sequence> sequences =
      sequences_of(threads, views, Alike::kBySiteAndSize, found.contexts, deadline);
  found.periods = find_periods(std::move(sequences), found.contexts.may_open(), deadline);
  return found;
}

Findings find_by_site(std::span<const TraceThread> threads, std::span<const TraceView> views,
                      Deadline& deadline) {
  Findings found;
  std::vector<Folded> folded;
  std::vector<Sequence> sequences;
  for (const Sequence& sequence : sequences_of(threads, views, Alike::kBySite, found.contexts, deadline)) {
    folded.push_back(fold_repetitions(sequence));
    sequences.push_back(folded.back().steps);
  }
  found.periods = find_periods(std::move(sequences), found.contexts.may_open(), deadline);
  for (Period& period : found.periods)
    for (Stretch& pass : period.passes) pass = unfolded(folded[pass.thread], pass);
  return found;
}

}  // namespace

double Findings::covered() const {
  double least = periods.empty() ? 0 : 1;
  for (const Period& period : periods) least = std::min(least, period.covered);
  return least;
}

Findings find_passes(std::span<const TraceThread> threads, std::span<const TraceView> views,
                     Deadline& deadline) {
  if (deadline.over()) return {};
  Findings found = find_by_site_and_size(threads, views, deadline);
  if (found.covered() >= kCoversMost || deadline.passed()) return found;
  Findings by_site = find_by_site(threads, views, deadline);
  return by_site.covered() > found.covered() + kCoversMore ? std::move(by_site) : std::move(found);
}

}  // namespace memo::planner
