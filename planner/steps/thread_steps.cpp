#include "planner/steps/thread_steps.h"

#include <algorithm>

#include "planner/trace/size_class.h"

namespace memo::planner {
namespace {

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

Context context_of(const Allocation& made, const TraceView& view, Alike alike) {
  const bool reallocated = made.kind == AllocationKind::kRealloc;
  if (alike == Alike::kBySite)
    return {.site = view.site(made.site), .size_class = 0, .alignment = 0, .reallocated = reallocated};
  return {.site = view.site(made.site),
          .size_class = size_class(made.size),
          .alignment = made.alignment,
          .reallocated = reallocated};
}

}  // namespace

ContextId Contexts::add(const Context& context) {
  const auto [at, fresh] = ids_.try_emplace(context, static_cast<ContextId>(all_.size()));
  if (fresh) all_.push_back(context);
  return at->second;
}

std::vector<bool> Contexts::may_open() const {
  std::vector<bool> may;
  may.reserve(all_.size());
  for (const Context& context : all_) may.push_back(!context.reallocated && context.site.module != kNone);
  return may;
}

bool Contexts::is_alone_at_its_site(ContextId id) const {
  return std::count_if(all_.begin(), all_.end(),
                       [&](const Context& other) { return other.site == all_[id].site; }) == 1;
}

std::vector<TraceThread> threads_of(std::span<const Trace> traces, Deadline& deadline) {
  std::vector<TraceThread> threads;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const std::size_t first = threads.size();
    threads.resize(first + traces[t].threads, TraceThread{.trace = t, .made = {}});
    const auto add = [&](const std::vector<Allocation>& all) {
      for (const Allocation& made : all) {
        if (deadline.over_at_step()) return;
        threads[first + made.thread].made.push_back(&made);
      }
    };
    for (const Pass& pass : traces[t].passes) add(pass.allocations);
    add(traces[t].outside);
  }
  for (TraceThread& thread : threads) {
    if (deadline.over()) break;
    std::stable_sort(thread.made.begin(), thread.made.end(),
                     [](const Allocation* a, const Allocation* b) { return a->begin_ns < b->begin_ns; });
  }
  return threads;
}

std::size_t begun_by(std::span<const Allocation* const> made, std::uint64_t ns) {
  const auto at = std::partition_point(made.begin(), made.end(),
                                       [&](const Allocation* one) { return one->begin_ns <= ns; });
  return static_cast<std::size_t>(at - made.begin());
}

std::vector<Sequence> sequences_of(std::span<const TraceThread> threads, std::span<const TraceView> views,
                                   Alike alike, Contexts& contexts, Deadline& deadline) {
  std::vector<Sequence> sequences;
  for (const TraceThread& thread : threads) {
    Sequence& sequence = sequences.emplace_back();
    const std::vector<std::uint32_t> depths = depths_of(thread.made);
    for (const Allocation* made : thread.made) {
      if (deadline.over_at_step()) return sequences;
      const ContextId context = contexts.add(context_of(*made, views[thread.trace], alike));
      Step& step = sequence.emplace_back(Step{
          .context = context, .size = made->size, .depth = depths[sequence.size()], .at_ns = made->begin_ns});
      if (made->freed) step.freed_at = static_cast<std::uint32_t>(begun_by(thread.made, made->end_ns));
    }
  }
  return sequences;
}

}  // namespace memo::planner
