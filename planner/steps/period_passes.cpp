#include "planner/steps/period_passes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "planner/period/folding.h"
#include "planner/period/period.h"
#include "planner/period/stretches.h"
#include "planner/problem/deadline.h"
#include "planner/steps/new_passes.h"
#include "planner/steps/thread_steps.h"
#include "planner/steps/trace_view.h"
#include "planner/trace/same_module.h"
#include "planner/trace/size_class.h"

namespace memo::planner {
namespace {

// The result of a search: the passes in the threads' own steps.
struct Findings {
  Contexts contexts;
  std::vector<Period> periods;

  // Returns the least share of what its threads allocate that the passes of an anchor make.
  [[nodiscard]] double covered() const;
};

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

double Findings::covered() const {
  double least = periods.empty() ? 0 : 1;
  for (const Period& period : periods) least = std::min(least, period.covered);
  return least;
}

// Looks at the sizes first: where they come back, they tell passes apart that share their sites.
Findings find_passes(std::span<const TraceThread> threads, std::span<const TraceView> views,
                     Deadline& deadline) {
  if (deadline.over()) return {};
  Findings found = find_by_site_and_size(threads, views, deadline);
  if (found.covered() >= kCoversMost || deadline.passed()) return found;
  Findings by_site = find_by_site(threads, views, deadline);
  return by_site.covered() > found.covered() + kCoversMore ? std::move(by_site) : std::move(found);
}

RivalAnchor rival_of(const Context& context, const std::vector<Module>& modules) {
  return {.module = modules[context.site.module].path, .offset = context.site.offset};
}

FoundAnchor describe(const Period& period, const Contexts& contexts, const std::vector<Module>& modules) {
  const Context& context = contexts[period.anchor];
  FoundAnchor anchor{.module = modules[context.site.module],
                     .offset = context.site.offset,
                     .passes = period.passes.size(),
                     .stretches = period.stretches,
                     .covered = period.covered,
                     .decided_by = std::string(period.choice.decided_by)};
  if (period.choice.runner_up) anchor.rival = rival_of(contexts[*period.choice.runner_up], modules);
  if (context.size_class != 0 && !contexts.is_alone_at_its_site(period.anchor)) {
    anchor.least = least_of_class(context.size_class);
    anchor.most = context.size_class;
  }
  return anchor;
}

const FoundAnchor* anchor_of(const Allocation& made, const Trace& trace,
                             std::span<const FoundAnchor> anchors) {
  for (const FoundAnchor& anchor : anchors) {
    if (made.site.offset == anchor.offset && made.site.module < trace.modules.size() &&
        made.kind != AllocationKind::kRealloc && made.size >= anchor.least && made.size <= anchor.most &&
        is_same_module(trace.modules[made.site.module], anchor.module))
      return &anchor;
  }
  return nullptr;
}

}  // namespace

std::vector<FoundAnchor> find_passes_by_period(std::span<Trace> traces, Deadline& deadline) {
  ModuleTable table;
  std::vector<TraceView> views;
  for (const Trace& trace : traces) views.emplace_back(trace, table);
  const std::vector<Module> modules = table.release();
  const std::vector<TraceThread> threads = threads_of(traces, deadline);
  const Findings found = find_passes(threads, views, deadline);
  std::vector<FoundAnchor> anchors;
  NewPasses passes(traces.size());
  for (const Period& period : found.periods) {
    anchors.push_back(describe(period, found.contexts, modules));
    anchors.back().key = anchors.size() == 1 ? 0 : anchors.size();
    if (!passes.add(anchors.back(), period.passes, threads, traces, deadline)) return {};
  }
  if (!anchors.empty()) passes.replace(traces);
  return anchors;
}

std::vector<FoundAnchor> anchors_of(const PlanDescription& plan) {
  constexpr auto kMost = static_cast<std::uint64_t>(Anchor::kAnySize);
  std::vector<FoundAnchor> anchors;
  for (const PlanAnchorDescription& anchor : plan.anchors) {
    const PlanModuleDescription& module = plan.modules[anchor.site.module];
    anchors.push_back({.module = {.path = module.path, .build_id = module.build_id},
                       .offset = anchor.site.offset,
                       .least = static_cast<Bytes>(std::min(anchor.least, kMost)),
                       .most = static_cast<Bytes>(std::min(anchor.most, kMost)),
                       .key = anchor.pass_key});
  }
  return anchors;
}

void open_passes_at(std::span<const FoundAnchor> anchors, Trace& trace) {
  const std::span<Trace> only(&trace, 1);
  Deadline never;
  const std::vector<TraceThread> threads = threads_of(only, never);
  NewPasses passes(1);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    const FoundAnchor* opened_by = nullptr;
    std::uint32_t begin = 0;
    for (std::uint32_t step = 0; step < threads[t].made.size(); ++step) {
      const FoundAnchor* anchor = anchor_of(*threads[t].made[step], trace, anchors);
      if (anchor == nullptr) continue;
      if (opened_by != nullptr)
        (void)passes.add(*opened_by,
                         std::vector<Stretch>{{.thread = t, .begin = begin, .end = step, .next = step}},
                         threads, only, never);
      opened_by = anchor;
      begin = step;
    }
  }
  passes.replace(only);
}

void attach(std::span<const FoundAnchor> anchors, Variants& variants) {
  for (const FoundAnchor& anchor : anchors) {
    const auto known =
        std::find_if(variants.modules.begin(), variants.modules.end(),
                     [&](const Module& module) { return is_same_module(module, anchor.module); });
    const auto module = static_cast<std::uint32_t>(known - variants.modules.begin());
    if (known == variants.modules.end()) variants.modules.push_back(anchor.module);
    variants.anchors.push_back({.site = {.module = module, .offset = anchor.offset},
                                .least = anchor.least,
                                .most = anchor.most,
                                .key = anchor.key});
  }
}

}  // namespace memo::planner
