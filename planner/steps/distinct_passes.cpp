#include "planner/steps/distinct_passes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "planner/steps/pass_prints.h"
#include "planner/steps/worker_variant.h"

namespace memo::planner {
namespace {

void drop_content(Pass& pass) {
  pass.scopes = {};
  pass.allocations = {};
}

// Drops what a plan does not need: passes that are known, and those that were cut off. Where workers allocated, the times of
// all passes stay, which say for which of them.
void drop_needless(Trace& trace, const std::vector<bool>& is_first) {
  for (std::size_t i = 0; i < trace.passes.size(); ++i)
    if (!is_first[i] || !trace.passes[i].complete) drop_content(trace.passes[i]);
  const bool keeps_one = std::find(is_first.begin(), is_first.end(), true) != is_first.end();
  if (!keeps_one && trace.outside.empty()) trace.passes = {};
  trace.stacks = {};
}

std::vector<std::uint64_t> prints_of(const PassPrints& prints, const Trace& trace) {
  std::vector<std::uint64_t> all;
  all.reserve(trace.passes.size());
  for (const Pass& pass : trace.passes) all.push_back(prints.of(pass));
  return all;
}

}  // namespace

DistinctPasses::Printed DistinctPasses::print(const Trace& trace) {
  const PassPrints prints(trace);
  Printed printed{.passes = prints_of(prints, trace)};
  printed.digest = prints.of_trace(printed.passes);
  return printed;
}

std::vector<bool> DistinctPasses::count(const Printed& printed, const Trace& trace, const Trace& owner) {
  std::vector<bool> is_first;
  Recording& recording =
      recordings_.emplace_back(Recording{.trace = &owner, .digest = printed.digest, .passes = {}});
  recording.passes.reserve(trace.passes.size());
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const Pass& pass = trace.passes[i];
    const auto [at, fresh] = known_.try_emplace(printed.passes[i], static_cast<std::uint32_t>(kept_.size()));
    if (fresh) kept_.push_back({.trace = &owner, .pass = &pass, .first = pass.number});
    KeptPass& kept = kept_[at->second];
    ++kept.runs;
    kept.first = std::min(kept.first, pass.number);
    recording.passes.push_back(at->second);
    is_first.push_back(fresh);
  }
  return is_first;
}

void DistinctPasses::add(const Trace& trace) {
  static_cast<void>(count(print(trace), trace, trace));
}

// The passes stay where they are when the trace is moved, so that pointers to them stay valid.
void DistinctPasses::take(Trace trace) {
  leave_work_of_workers(trace);
  const Printed printed = print(trace);
  std::unique_lock lock(mutex_);
  Trace& owner = owned_.emplace_back();
  const std::vector<bool> is_first = count(printed, trace, owner);
  lock.unlock();
  drop_needless(trace, is_first);
  owner = std::move(trace);
}

std::vector<const Recording*> DistinctPasses::recordings() const {
  std::vector<const Recording*> sorted;
  sorted.reserve(recordings_.size());
  for (const Recording& recording : recordings_) sorted.push_back(&recording);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Recording* a, const Recording* b) { return a->digest < b->digest; });
  return sorted;
}

std::uint64_t digest_of(const Trace& trace) {
  const PassPrints prints(trace);
  return prints.of_trace(prints_of(prints, trace));
}

}  // namespace memo::planner
