#include "planner/variants/period_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

#include "planner/period/folding.h"
#include "planner/period/period.h"
#include "planner/period/stretches.h"
#include "planner/trace/same_module.h"
#include "planner/trace/size_class.h"
#include "planner/variants/trace_view.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostAnchors = 8;
// Passes found by sites and sizes that account for so much are the program's. Others may be parts of its passes that
// happen to have the same sizes, such as one operator of each.
constexpr double kCoversMost = 0.9;
constexpr double kCoversMore = 0.02;  // what passes found in sites alone must account for beyond them

// The allocations of one thread of one trace, in or outside of the passes that the trace has.
struct Thread {
  std::size_t trace = 0;
  std::vector<const Allocation*> made;
};

std::vector<Thread> threads_of(std::span<const Trace> traces) {
  std::vector<Thread> threads;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const std::size_t first = threads.size();
    threads.resize(first + traces[t].threads, Thread{.trace = t, .made = {}});
    const auto add = [&](const Allocation& made) { threads[first + made.thread].made.push_back(&made); };
    for (const Pass& pass : traces[t].passes)
      std::for_each(pass.allocations.begin(), pass.allocations.end(), add);
    std::for_each(traces[t].outside.begin(), traces[t].outside.end(), add);
  }
  for (Thread& thread : threads)
    std::stable_sort(thread.made.begin(), thread.made.end(),
                     [](const Allocation* a, const Allocation* b) { return a->begin_ns < b->begin_ns; });
  return threads;
}

// Returns how many of the allocations had begun by this time.
std::size_t begun_by(std::span<const Allocation* const> made, std::uint64_t ns) {
  const auto at = std::partition_point(made.begin(), made.end(),
                                       [&](const Allocation* one) { return one->begin_ns <= ns; });
  return static_cast<std::size_t>(at - made.begin());
}

// ---- contexts ----

struct Context {
  PlanSite site;
  Bytes size_class = 0;
  Bytes alignment = 0;
  bool reallocated = false;
  friend auto operator<=>(const Context&, const Context&) = default;
};

class Contexts {
 public:
  ContextId add(const Context& context) {
    const auto [at, fresh] = ids_.try_emplace(context, static_cast<ContextId>(all_.size()));
    if (fresh) all_.push_back(context);
    return at->second;
  }
  [[nodiscard]] const Context& operator[](ContextId id) const { return all_[id]; }

  // Returns which contexts may open a pass. A block that is reallocated may stay where it is, so the arena
  // would not notice it. Code made at run time has another address in the next run.
  [[nodiscard]] std::vector<bool> may_open() const {
    std::vector<bool> may;
    may.reserve(all_.size());
    for (const Context& context : all_) may.push_back(!context.reallocated && context.site.module != kNone);
    return may;
  }
  [[nodiscard]] bool is_alone_at_its_site(ContextId id) const {
    return std::count_if(all_.begin(), all_.end(),
                         [&](const Context& other) { return other.site == all_[id].site; }) == 1;
  }

 private:
  std::map<Context, ContextId> ids_;
  std::vector<Context> all_;
};

// Returns how deep in the stack each allocation was made, below the shallowest of them.
std::vector<std::uint32_t> depths_of(std::span<const Allocation* const> made) {
  std::vector<std::uint32_t> depths;
  depths.reserve(made.size());
  std::int32_t shallowest = 0;
  const auto below_first = [&](const Allocation* one) {
    return static_cast<std::int32_t>(made.front()->stack_pointer - one->stack_pointer);
  };
  for (const Allocation* one : made) shallowest = std::min(shallowest, below_first(one));
  for (const Allocation* one : made)
    depths.push_back(static_cast<std::uint32_t>(below_first(one)) - static_cast<std::uint32_t>(shallowest));
  return depths;
}

// What makes two allocations alike. Where each request has a shape of its own, their sizes do not count.
enum class Alike : std::uint8_t { kBySiteAndSize, kBySite };

Context context_of(const Allocation& made, const TraceView& view, Alike alike) {
  const bool reallocated = made.kind == AllocationKind::kRealloc;
  if (alike == Alike::kBySite)
    return {.site = view.site(made.site), .size_class = 0, .alignment = 0, .reallocated = reallocated};
  return {.site = view.site(made.site),
          .size_class = size_class(made.size),
          .alignment = made.alignment,
          .reallocated = reallocated};
}

std::vector<Sequence> sequences_of(std::span<const Thread> threads, std::span<const TraceView> views,
                                   Alike alike, Contexts& contexts) {
  std::vector<Sequence> sequences;
  for (const Thread& thread : threads) {
    Sequence& sequence = sequences.emplace_back();
    const std::vector<std::uint32_t> depths = depths_of(thread.made);
    for (const Allocation* made : thread.made) {
      const ContextId context = contexts.add(context_of(*made, views[thread.trace], alike));
      Step& step = sequence.emplace_back(Step{
          .context = context, .size = made->size, .depth = depths[sequence.size()], .at_ns = made->begin_ns});
      if (made->freed) step.freed_at = static_cast<std::uint32_t>(begun_by(thread.made, made->end_ns));
    }
  }
  return sequences;
}

// ---- passes ----

// Counts the lifetimes in the pass's own allocations.
void count_lives(Pass& pass, std::span<const Allocation* const> made, std::uint64_t end_ns) {
  for (std::size_t i = 0; i < pass.allocations.size(); ++i) {
    Allocation& one = pass.allocations[i];
    one.escapes = !one.freed || one.end_ns > end_ns;
    one.scope = kNone;
    const std::size_t end = one.escapes ? made.size() : begun_by(made, one.end_ns);
    one.life = {static_cast<Time>(i), static_cast<Time>(std::max(end, i + 1))};
  }
}

Pass pass_of(const Stretch& stretch, const Thread& thread, std::uint64_t key, NameIndex name) {
  std::vector<const Allocation*> made;
  for_each_own_step(stretch, [&](std::uint32_t step) { made.push_back(thread.made[step]); });
  Pass pass{.thread = thread.made[stretch.begin]->thread, .name = name, .key = key, .complete = true};
  pass.events = static_cast<Time>(made.size());
  pass.begin_ns = thread.made[stretch.begin]->begin_ns;
  pass.end_ns = thread.made[stretch.next]->begin_ns;
  for (const Allocation* one : made) pass.allocations.push_back(*one);
  count_lives(pass, made, pass.end_ns);
  return pass;
}

std::string name_of(const FoundAnchor& anchor) {
  const std::string file = anchor.module.path.substr(anchor.module.path.rfind('/') + 1);
  return fmt::format("period of {}+{:#x}", file, anchor.offset);
}

// Collects new passes beside the old ones, since it copies their allocations from the old ones.
class NewPasses {
 public:
  explicit NewPasses(std::size_t traces) : passes_(traces), names_(traces) {}

  void add(const FoundAnchor& anchor, std::span<const Stretch> stretches, std::span<const Thread> threads,
           std::span<const Trace> traces) {
    for (const Stretch& stretch : stretches) {
      const Thread& thread = threads[stretch.thread];
      passes_[thread.trace].push_back(
          pass_of(stretch, thread, anchor.key, name(thread.trace, traces[thread.trace], name_of(anchor))));
    }
  }

  void replace(std::span<Trace> traces) {
    for (std::size_t t = 0; t < traces.size(); ++t) {
      std::stable_sort(passes_[t].begin(), passes_[t].end(),
                       [](const Pass& a, const Pass& b) { return a.begin_ns < b.begin_ns; });
      for (std::size_t i = 0; i < passes_[t].size(); ++i) passes_[t][i].number = i + 1;
      traces[t].passes = std::move(passes_[t]);
      traces[t].outside.clear();
      traces[t].names.insert(traces[t].names.end(), names_[t].begin(), names_[t].end());
    }
  }

 private:
  NameIndex name(std::size_t t, const Trace& trace, const std::string& text) {
    const auto known = std::find(names_[t].begin(), names_[t].end(), text);
    const auto index = trace.names.size() + static_cast<std::size_t>(known - names_[t].begin());
    if (known == names_[t].end()) names_[t].push_back(text);
    return static_cast<NameIndex>(index);
  }

  std::vector<std::vector<Pass>> passes_;
  std::vector<std::vector<std::string>> names_;
};

// ---- anchors ----

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

// What a search found: the passes in the threads' own steps.
struct Findings {
  Contexts contexts;
  std::vector<Period> periods;

  // Returns the least share of what its threads allocate that the passes of an anchor make.
  [[nodiscard]] double covered() const {
    double least = periods.empty() ? 0 : 1;
    for (const Period& period : periods) least = std::min(least, period.covered);
    return least;
  }
};

Findings find_by_site_and_size(std::span<const Thread> threads, std::span<const TraceView> views,
                               Deadline& deadline) {
  Findings found;
  std::vector<Sequence> sequences = sequences_of(threads, views, Alike::kBySiteAndSize, found.contexts);
  found.periods = find_periods(std::move(sequences), found.contexts.may_open(), deadline);
  return found;
}

Findings find_by_site(std::span<const Thread> threads, std::span<const TraceView> views, Deadline& deadline) {
  Findings found;
  std::vector<Folded> folded;
  std::vector<Sequence> sequences;
  for (const Sequence& sequence : sequences_of(threads, views, Alike::kBySite, found.contexts)) {
    folded.push_back(fold_repetitions(sequence));
    sequences.push_back(folded.back().steps);
  }
  found.periods = find_periods(std::move(sequences), found.contexts.may_open(), deadline);
  for (Period& period : found.periods)
    for (Stretch& pass : period.passes) pass = unfolded(folded[pass.thread], pass);
  return found;
}

// Looks at the sizes first: where they come back, they tell passes apart that share their sites.
Findings find_passes(std::span<const Thread> threads, std::span<const TraceView> views, Deadline& deadline) {
  Findings found = find_by_site_and_size(threads, views, deadline);
  if (found.covered() >= kCoversMost || deadline.passed()) return found;
  Findings by_site = find_by_site(threads, views, deadline);
  return by_site.covered() > found.covered() + kCoversMore ? std::move(by_site) : std::move(found);
}

}  // namespace

std::vector<FoundAnchor> find_passes_by_period(std::span<Trace> traces, Deadline& deadline) {
  ModuleTable table;
  std::vector<TraceView> views;
  for (const Trace& trace : traces) views.emplace_back(trace, table);
  const std::vector<Module> modules = table.release();
  const std::vector<Thread> threads = threads_of(traces);
  const Findings found = find_passes(threads, views, deadline);
  std::vector<FoundAnchor> anchors;
  NewPasses passes(traces.size());
  for (const Period& period : found.periods) {
    anchors.push_back(describe(period, found.contexts, modules));
    anchors.back().key = anchors.size() == 1 ? 0 : anchors.size();
    passes.add(anchors.back(), period.passes, threads, traces);
  }
  if (!anchors.empty()) passes.replace(traces);
  return anchors;
}

namespace {

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
  const std::vector<Thread> threads = threads_of(only);
  NewPasses passes(1);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    const FoundAnchor* opened_by = nullptr;
    std::uint32_t begin = 0;
    for (std::uint32_t step = 0; step < threads[t].made.size(); ++step) {
      const FoundAnchor* anchor = anchor_of(*threads[t].made[step], trace, anchors);
      if (anchor == nullptr) continue;
      if (opened_by != nullptr)
        passes.add(*opened_by, std::vector<Stretch>{{.thread = t, .begin = begin, .end = step, .next = step}},
                   threads, only);
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
