#include "planner/steps/distinct_passes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "planner/steps/parallel_scopes.h"
#include "planner/steps/sequences.h"
#include "planner/steps/trace_view.h"
#include "planner/steps/worker_variant.h"
#include "planner/trace/mix.h"
#include "planner/trace/trace.h"

namespace memo::planner {
namespace {

class PassPrints {
 public:
  explicit PassPrints(const Trace& trace);

  // Returns equal values for passes that are alike (distinct_passes.h). Of a pass that is not complete only the name and
  // the key count, since nothing else of it is used.
  [[nodiscard]] std::uint64_t of(const Pass& pass) const;

  // Returns a hash of all in the trace that a plan may depend on. `prints` are those of its passes.
  [[nodiscard]] std::uint64_t of_trace(const std::vector<std::uint64_t>& prints) const;

 private:
  [[nodiscard]] std::uint64_t name(NameIndex index) const;
  [[nodiscard]] std::uint64_t site(const Site& site) const;
  [[nodiscard]] std::uint64_t of_scopes(const Pass& pass) const;
  [[nodiscard]] std::uint64_t of_allocations(const Pass& pass) const;

  const Trace& trace_;
  std::vector<std::uint64_t> names_;
  std::vector<std::uint64_t> modules_;
};

std::uint64_t hash_of(std::string_view text) {
  return mix(mix(0, text.size()), text);
}

std::uint64_t signed_mix(std::uint64_t hash, std::int64_t value) {
  return mix(hash, static_cast<std::uint64_t>(value));
}

// Returns a hash of a block that no pass made. Its times count: they say for which pass a worker made it.
std::uint64_t hash_of_times(const Allocation& made) {
  std::uint64_t hash = mix(mix(0, made.begin_ns), made.end_ns);
  hash = mix(mix(hash, made.thread), std::uint64_t{made.freed});
  return mix(mix(hash, made.stack_pointer), static_cast<std::uint64_t>(made.kind));
}

PassPrints::PassPrints(const Trace& trace) : trace_(trace) {
  for (const std::string& name : trace.names) names_.push_back(hash_of(name));
  for (const Module& module : trace.modules) modules_.push_back(hash_of(identity_of(module)));
}

std::uint64_t PassPrints::name(NameIndex index) const {
  return index < names_.size() ? names_[index] : hash_of(trace_.name(index));
}

std::uint64_t PassPrints::site(const Site& site) const {
  return mix(site.module < modules_.size() ? modules_[site.module] : 0, site.offset);
}

std::uint64_t PassPrints::of_scopes(const Pass& pass) const {
  std::uint64_t hash = pass.scopes.size();
  for (const Scope& scope : pass.scopes) {
    hash = mix(mix(hash, name(scope.name)), scope.parent);
    hash = signed_mix(hash, allocations_before(pass, scope.life.begin));
    hash = signed_mix(hash, allocations_before(pass, scope.life.end));
  }
  for (const auto& [a, b] : parallel_scopes(pass)) hash = mix(mix(hash, a), b);
  for (const auto& [a, b] : outlasting_scopes(pass)) hash = mix(mix(hash, a), b);
  return hash;
}

std::uint64_t PassPrints::of_allocations(const Pass& pass) const {
  std::uint64_t hash = pass.allocations.size();
  for (const Allocation& made : pass.allocations) {
    hash = mix(mix(hash, site(made.site)), made.scope);
    hash = signed_mix(signed_mix(hash, made.size), made.alignment);
    hash = signed_mix(mix(hash, std::uint64_t{escapes(made)}), allocations_before(pass, made.life.end));
  }
  return hash;
}

std::uint64_t PassPrints::of(const Pass& pass) const {
  const std::uint64_t kind = mix(mix(std::uint64_t{pass.complete}, name(pass.name)), pass.key);
  return pass.complete ? mix(mix(kind, of_scopes(pass)), of_allocations(pass)) : kind;
}

std::uint64_t PassPrints::of_trace(const std::vector<std::uint64_t>& prints) const {
  std::uint64_t hash = prints.size();
  for (const Module& module : trace_.modules)
    hash = mix(mix(hash, hash_of(module.path)), hash_of(module.build_id));
  for (std::size_t i = 0; i < prints.size(); ++i) {
    const Pass& pass = trace_.passes[i];
    hash = mix(mix(hash, prints[i]), pass.number);
    hash = mix(mix(mix(hash, pass.thread), pass.begin_ns), pass.end_ns);
  }
  for (const Allocation& made : trace_.outside) {
    hash = mix(mix(hash, site(made.site)), hash_of_times(made));
    hash = signed_mix(signed_mix(hash, made.size), made.alignment);
  }
  return hash;
}

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
    Member& kept = kept_[at->second];
    ++kept.runs;
    kept.first = std::min(kept.first, pass.number);
    recording.passes.push_back(at->second);
    is_first.push_back(fresh);
  }
  return is_first;
}

DistinctPasses::DistinctPasses(std::span<const Trace> traces) {
  for (const Trace& trace : traces) add(trace);
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
