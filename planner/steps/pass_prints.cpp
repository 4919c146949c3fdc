#include "planner/steps/pass_prints.h"

#include "planner/steps/parallel_scopes.h"
#include "planner/steps/sequences.h"
#include "planner/steps/trace_view.h"
#include "planner/trace/mix.h"

namespace memo::planner {
namespace {

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

}  // namespace

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

}  // namespace memo::planner
