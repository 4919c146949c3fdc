#include "planner/steps/new_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace memo::planner {
namespace {

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

Pass pass_of(const Stretch& stretch, const TraceThread& thread, std::uint64_t key, NameIndex name) {
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

}  // namespace

bool NewPasses::add(const FoundAnchor& anchor, std::span<const Stretch> stretches,
                    std::span<const TraceThread> threads, std::span<const Trace> traces, Deadline& deadline) {
  for (const Stretch& stretch : stretches) {
    if (deadline.over()) return false;
    const TraceThread& thread = threads[stretch.thread];
    passes_[thread.trace].push_back(
        pass_of(stretch, thread, anchor.key, name(thread.trace, traces[thread.trace], name_of(anchor))));
  }
  return true;
}

void NewPasses::replace(std::span<Trace> traces) {
  for (std::size_t t = 0; t < traces.size(); ++t) {
    std::stable_sort(passes_[t].begin(), passes_[t].end(),
                     [](const Pass& a, const Pass& b) { return a.begin_ns < b.begin_ns; });
    for (std::size_t i = 0; i < passes_[t].size(); ++i) passes_[t][i].number = i + 1;
    traces[t].passes = std::move(passes_[t]);
    traces[t].outside.clear();
    traces[t].names.insert(traces[t].names.end(), names_[t].begin(), names_[t].end());
  }
}

NameIndex NewPasses::name(std::size_t t, const Trace& trace, const std::string& text) {
  const auto known = std::find(names_[t].begin(), names_[t].end(), text);
  const auto index = trace.names.size() + static_cast<std::size_t>(known - names_[t].begin());
  if (known == names_[t].end()) names_[t].push_back(text);
  return static_cast<NameIndex>(index);
}

}  // namespace memo::planner
