#include "planner/layout/find_variants.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "planner/layout/last_alone.h"
#include "planner/layout/reserve.h"
#include "planner/sizes/structures.h"
#include "planner/steps/distinct_passes.h"
#include "planner/steps/parallel_scopes.h"
#include "planner/steps/sequences.h"
#include "planner/steps/trace_view.h"
#include "planner/steps/worker_variant.h"
#include "planner/trace/size_class.h"

namespace memo::planner {
namespace {

// Returns a hash of what a pass allocates, in order. The order of frees does not count.
std::uint64_t demand_fingerprint(const TraceView& view, const Pass& pass) {
  std::uint64_t hash = mix(mix(0, view.trace->name(pass.name)), pass.key);
  for (const Allocation& allocation : pass.allocations) {
    const PlanSite site = view.site(allocation.site);
    hash = mix(mix(hash, site.module), site.offset);
    hash = mix(mix(hash, static_cast<std::uint64_t>(size_class(allocation.size))),
               static_cast<std::uint64_t>(allocation.alignment));
  }
  return hash;
}

Variant first_run(const Member& member) {
  const Pass& pass = *member.pass;
  const Trace& trace = *member.view->trace;
  Variant variant;
  variant.key = pass.key;
  variant.pass_name = trace.name(pass.name);
  for (const Scope& scope : pass.scopes)
    variant.scopes.push_back({.name = std::string(trace.name(scope.name)),
                              .parent = scope.parent,
                              .life = {.begin = allocations_before(pass, scope.life.begin),
                                       .end = allocations_before(pass, scope.life.end)}});
  for (const Allocation& allocation : pass.allocations)
    variant.demands.push_back({.site = member.view->site(allocation.site), .scope = allocation.scope});
  return variant;
}

// Adds which operators of the pass may run beside each other.
void add_branches(const Pass& pass, Variant& variant) {
  variant.parallel = united(variant.parallel, parallel_scopes(pass));
  variant.outlasting = united(variant.outlasting, outlasting_scopes(pass));
}

// Makes the variant serve this run as well.
void unite(Variant& variant, const Member& member) {
  const Pass& pass = *member.pass;
  for (std::size_t i = 0; i < variant.demands.size(); ++i) {
    const Allocation& allocation = pass.allocations[i];
    Demand& demand = variant.demands[i];
    const auto rank = static_cast<Time>(i);
    enlarge(demand, allocation);
    if (escapes(allocation)) demand.zone = PlanZone::kKept;
    const Time end = std::max(rank + 1, allocations_before(pass, allocation.life.end));
    demand.life = {.begin = rank, .end = std::max(demand.life.end, end)};
  }
  variant.runs += member.runs;
  // Scopes are known by their numbers, so a run with a different division into scopes says nothing about the
  // variant's scopes.
  if (pass.scopes.size() != variant.scopes.size()) return;
  add_branches(pass, variant);
}

Variant build(std::uint64_t fingerprint, const std::vector<Member>& members) {
  Variant variant = first_run(members.front());
  variant.fingerprint = fingerprint;
  for (const Member& member : members) unite(variant, member);
  return variant;
}

// The count of allocations stands beside the hash, so that code can always walk the members of one group in
// step.
using GroupKey = std::pair<std::uint64_t, std::size_t>;
using Groups = std::map<GroupKey, std::vector<Member>>;

std::size_t runs_of(const std::vector<Member>& members) {
  std::size_t runs = 0;
  for (const Member& member : members) runs += member.runs;
  return runs;
}

// Makes variants of the groups that recur. A group with one run is warm-up: the pass that filled the caches,
// compiled the graph, grew the buffers.
void take_recurring(const Groups& groups, Variants& result) {
  for (const auto& [key, members] : groups) {
    if (runs_of(members) < 2)
      ++result.warm_up;
    else
      result.variants.push_back(build(key.first, members));
  }
  std::stable_sort(result.variants.begin(), result.variants.end(),
                   [](const Variant& a, const Variant& b) { return a.runs > b.runs; });
}

void take_last(const Groups& groups, Variants& result) {
  const auto last = std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.second.back().pass->number < b.second.back().pass->number;
  });
  if (last == groups.end()) return;
  result.variants.push_back(build(last->first.first, last->second));
  result.steady = false;
  --result.warm_up;
}

// Loading may run graphs under the same key, one for each part of the network that it folds.
constexpr std::size_t kMostPassesBeforeSteady = 64;

// Counts the passes of one process until each kind of them recurs. A program may call several functions under one key,
// as PyTorch runs a graph to fold its constants and the network itself: each function recurs for itself, but the library
// counts passes by their keys.
class WarmUp {
 public:
  void add(const Member& kept, bool is_alone) {
    const Pass& pass = *kept.pass;
    const std::size_t earlier = of_key_[pass.key]++;
    Kind& kind = kinds_[{pass.key, kept.trace->name(pass.name)}];
    if (kind.recurs) return;
    kind.recurs = !is_alone;
    if (is_alone) {
      ++kind.alone;
    } else if (kind.alone != 0) {
      longest_ = std::max(longest_, kind.alone <= kLongestWarmUp ? earlier : kLongestWarmUp);
    }
  }
  // Returns how many passes of a key came before the last kind of them that recurs. Kinds that recur from their first
  // pass on do not count, nor do those that never recur.
  [[nodiscard]] std::size_t passes() const { return longest_; }

 private:
  struct Kind {
    std::size_t alone = 0;
    bool recurs = false;
  };
  std::map<std::uint64_t, std::size_t> of_key_;
  std::map<std::pair<std::uint64_t, std::string_view>, Kind> kinds_;
  std::size_t longest_ = 0;
};

// Returns the passes that came once, and are like no other.
std::set<const Pass*> passes_alone(const Groups& groups) {
  std::set<const Pass*> alone;
  for (const auto& [key, members] : groups)
    if (runs_of(members) < 2) alone.insert(members.front().pass);
  return alone;
}

// Returns how many passes of one key came before the steady state, the most of all keys and traces.
std::size_t count_passes_before_steady(const DistinctPasses& passes, const std::set<const Pass*>& alone) {
  std::size_t most = 0;
  for (const Recording* recording : passes.recordings()) {
    WarmUp warm_up;
    for (const std::uint32_t pass : recording->passes)
      warm_up.add(passes[pass], !passes[pass].pass->complete || alone.contains(passes[pass].pass));
    most = std::max(most, warm_up.passes());
  }
  return std::min(most, kMostPassesBeforeSteady);
}

// Keeps only the modules whose code allocates; a plan names no others.
void keep_modules_with_sites(Variants& result, std::vector<Module> modules) {
  std::vector<std::uint32_t> kept(modules.size(), kNone);
  for (Variant& variant : result.variants) {
    for (Demand& demand : variant.demands) {
      if (demand.site.module == kNone) continue;
      std::uint32_t& index = kept[demand.site.module];
      if (index == kNone) {
        index = static_cast<std::uint32_t>(result.modules.size());
        result.modules.push_back(std::move(modules[demand.site.module]));
      }
      demand.site.module = index;
    }
  }
}

// The traces under one numbering of modules, in an order that follows from what is in them.
class Views {
 public:
  explicit Views(const DistinctPasses& passes) {
    const std::vector<const Recording*> recordings = passes.recordings();
    views_.reserve(recordings.size());
    for (const Recording* recording : recordings) {
      views_.emplace_back(*recording->trace, modules_);
      by_trace_.emplace(recording->trace, &views_.back());
    }
  }
  [[nodiscard]] const TraceView* of(const Trace* trace) const { return by_trace_.at(trace); }
  [[nodiscard]] const std::vector<TraceView>& all() const { return views_; }
  [[nodiscard]] std::vector<Module> release_modules() { return modules_.release(); }

 private:
  ModuleTable modules_;
  std::vector<TraceView> views_;
  std::unordered_map<const Trace*, const TraceView*> by_trace_;
};

// Returns the distinct passes that allocate, in the order in which they first come, and counts all.
std::vector<Member> members_of(const DistinctPasses& passes, const Views& views, Variants& result) {
  std::vector<Member> members;
  std::unordered_set<std::uint32_t> seen;
  for (const Recording* recording : passes.recordings()) {
    for (const std::uint32_t number : recording->passes) {
      Member member = passes[number];
      ++(member.pass->complete ? result.passes : result.incomplete);
      if (!member.pass->complete || !seen.insert(number).second) continue;
      ++result.distinct;
      if (member.pass->allocations.empty()) continue;
      member.view = views.of(member.trace);
      member.fingerprint = demand_fingerprint(*member.view, *member.pass);
      members.push_back(member);
    }
  }
  return members;
}

bool is_watched(const Member& member) {
  return !member.pass->operations.empty();
}

// Takes the passes with data flow out, unless there are no others.
std::vector<Member> take_watched(std::vector<Member>& members) {
  const auto first = std::stable_partition(members.begin(), members.end(),
                                           [](const Member& member) { return !is_watched(member); });
  if (first == members.begin()) return {};
  std::vector<Member> watched(first, members.end());
  members.erase(first, members.end());
  return watched;
}

bool have_same_operators(const Variant& variant, const Member& member) {
  const auto alike = [&](const VariantScope& ours, const Scope& its) {
    return ours.parent == its.parent && ours.name == member.view->trace->name(its.name);
  };
  return std::equal(variant.scopes.begin(), variant.scopes.end(), member.pass->scopes.begin(),
                    member.pass->scopes.end(), alike);
}

void lend_branches(const std::vector<Member>& watched, Variants& result) {
  for (Variant& variant : result.variants)
    for (const Member& member : watched)
      if (have_same_operators(variant, member)) add_branches(*member.pass, variant);
}

// Puts the variants of a key next to each other, in the order in which the keys came: the arena has one table of places for such
// variants, so that a pass may change between them while it has large blocks.
void keep_keys_together(std::vector<Variant>& variants) {
  std::map<std::uint64_t, std::size_t> rank;  // key -> keys that came before
  for (const Variant& variant : variants) rank.emplace(variant.key, rank.size());
  std::stable_sort(variants.begin(), variants.end(),
                   [&](const Variant& a, const Variant& b) { return rank.at(a.key) < rank.at(b.key); });
}

}  // namespace

Variants find_variants(const DistinctPasses& passes) {
  Views views(passes);
  Variants result;
  std::vector<Member> members = members_of(passes, views, result);
  const std::vector<Member> watched = take_watched(members);
  result.watched = !members.empty() && is_watched(members.front());
  const std::vector<Member> all = members;
  const auto take = [&](std::vector<Variant> found) {
    std::move(found.begin(), found.end(), std::back_inserter(result.variants));
  };
  take(join_structures(members));
  Groups groups;
  for (const Member& member : members)
    groups[{member.fingerprint, member.pass->allocations.size()}].push_back(member);
  take_recurring(groups, result);
  keep_keys_together(result.variants);
  const std::set<const Pass*> alone = passes_alone(groups);
  result.before_steady = count_passes_before_steady(passes, alone);
  if (!result.variants.empty())
    result.asked_by_last_alone = asked_by_last_alone(passes, alone, result.variants);
  if (result.variants.empty()) take_last(groups, result);
  lend_branches(watched, result);
  if (std::optional<Variant> workers = find_worker_variant(views.all()); workers && !result.variants.empty())
    result.variants.push_back(std::move(*workers));
  note_orders(all, result.variants);
  keep_modules_with_sites(result, views.release_modules());
  return result;
}

}  // namespace memo::planner
