#include "planner/steps/parallel_scopes.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "planner/trace/data_flow.h"

namespace memo::planner {
namespace {

// Walks up the parents, which is cheap: scopes are few, and few of them are deep.
template <typename AnyScope>
bool is_inside(const std::vector<AnyScope>& scopes, ScopeIndex inner, ScopeIndex outer) {
  while (inner != kNone && inner != outer) inner = scopes[inner].parent;
  return inner == outer;
}

bool overlap_in_time(const Scope& a, const Scope& b) {
  return a.begin_ns < b.end_ns && b.begin_ns < a.end_ns;
}

Lifetime hull(const Lifetime& a, const Lifetime& b) {
  return {.begin = std::min(a.begin, b.begin), .end = std::max(a.end, b.end)};
}

// Returns how long each scope's blocks must live, by scope: as long as the scope and the scopes that ran beside
// it.
std::vector<Lifetime> lives_with_companions(const Variant& variant) {
  std::vector<Lifetime> lives;
  lives.reserve(variant.scopes.size());
  for (const VariantScope& scope : variant.scopes) lives.push_back(scope.life);
  for (const auto& [a, b] : variant.parallel) {
    const Lifetime both = hull(variant.scopes[a].life, variant.scopes[b].life);
    lives[a] = hull(lives[a], both);
    lives[b] = hull(lives[b], both);
  }
  return lives;
}

// Lengthens a block's life for each scope around it: an outer scope may have run beside another one although
// the block's own scope did not.
void lengthen(Demand& demand, const Variant& variant, const std::vector<Lifetime>& lives,
              const std::vector<bool>& has_company) {
  for (ScopeIndex scope = demand.scope; scope != kNone; scope = variant.scopes[scope].parent)
    if (has_company[scope]) demand.life = hull(demand.life, lives[scope]);
}

// Lengthens the lives of blocks that operators hand on: until none of the operators runs that may run before the last
// reader does.
void lengthen_handed_on(Variant& variant) {
  std::vector<Lifetime> lives;
  lives.reserve(variant.scopes.size());
  for (const VariantScope& scope : variant.scopes) lives.push_back(scope.life);
  for (const auto& [maker, other] : variant.outlasting)
    lives[maker] = hull(lives[maker], variant.scopes[other].life);
  for (Demand& demand : variant.demands) {
    const Time end = demand.life.end;
    for (ScopeIndex scope = demand.scope; scope != kNone; scope = variant.scopes[scope].parent)
      if (end > variant.scopes[scope].life.end) demand.life = hull(demand.life, lives[scope]);
  }
}

void keep_parallel(Variant& variant) {
  std::vector<bool> has_company(variant.scopes.size());
  for (const auto& [a, b] : variant.parallel) has_company[a] = has_company[b] = true;
  const std::vector<Lifetime> lives = lives_with_companions(variant);
  lengthen_handed_on(variant);
  for (Demand& demand : variant.demands) lengthen(demand, variant, lives, has_company);
}

void sort_once(std::vector<ScopePair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

// Walks the scopes in the order of their begins: after the first one that begins too late to overlap, all begin
// too late.
void add_overlapping(const Pass& pass, std::vector<ScopePair>& pairs) {
  std::vector<ScopeIndex> order(pass.scopes.size());
  std::iota(order.begin(), order.end(), ScopeIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](ScopeIndex a, ScopeIndex b) {
    return pass.scopes[a].begin_ns < pass.scopes[b].begin_ns;
  });
  for (auto a = order.begin(); a != order.end(); ++a) {
    for (auto b = a + 1; b != order.end() && pass.scopes[*b].begin_ns < pass.scopes[*a].end_ns; ++b) {
      if (!overlap_in_time(pass.scopes[*a], pass.scopes[*b])) continue;
      if (is_inside(pass.scopes, *a, *b) || is_inside(pass.scopes, *b, *a)) continue;
      pairs.push_back(std::minmax(*a, *b));
    }
  }
}

// A graph of so many operators takes a second. Longer passes are loops, whose rounds depend on one another anyway.
constexpr std::size_t kMostOperations = 8192;

bool has_graph(const Pass& pass) {
  return !pass.operations.empty() && pass.operations.size() <= kMostOperations;
}

bool are_apart(const Pass& pass, ScopeIndex a, ScopeIndex b) {
  return a != kNone && b != kNone && !is_inside(pass.scopes, a, b) && !is_inside(pass.scopes, b, a);
}

// Adds the operators that do not need each other, as the data flow tells.
void add_branches(const Pass& pass, std::vector<ScopePair>& pairs) {
  if (!has_graph(pass)) return;
  const RunOrder order(pass);
  for (OperationIndex b = 0; b < pass.operations.size(); ++b) {
    for (OperationIndex a = 0; a < b; ++a) {
      const ScopeIndex one = pass.operations[a].scope;
      const ScopeIndex other = pass.operations[b].scope;
      if (order.are_independent(a, b) && are_apart(pass, one, other))
        pairs.push_back(std::minmax(one, other));
    }
  }
}

// Returns for each operator those that read what it was the first to write, also after others have changed it.
std::vector<std::vector<OperationIndex>> readers_of(const Pass& pass) {
  std::vector<std::vector<OperationIndex>> readers(pass.operations.size());
  std::unordered_map<std::uint64_t, OperationIndex> makers;
  for (OperationIndex index = 0; index < pass.operations.size(); ++index) {
    for (const Access& access : pass.operations[index].reads)
      if (const auto maker = makers.find(access.tagged); maker != makers.end())
        readers[maker->second].push_back(index);
    for (const Access& access : pass.operations[index].writes) makers.try_emplace(access.tagged, index);
  }
  return readers;
}

}  // namespace

std::vector<ScopePair> parallel_scopes(const Pass& pass) {
  std::vector<ScopePair> pairs;
  add_overlapping(pass, pairs);
  add_branches(pass, pairs);
  sort_once(pairs);
  return pairs;
}

std::vector<ScopePair> outlasting_scopes(const Pass& pass) {
  std::vector<ScopePair> pairs;
  if (!has_graph(pass)) return pairs;
  const RunOrder order(pass);
  const std::vector<std::vector<OperationIndex>> readers = readers_of(pass);
  for (OperationIndex maker = 0; maker < pass.operations.size(); ++maker) {
    const ScopeIndex its = pass.operations[maker].scope;
    for (const OperationIndex reader : readers[maker])
      for (OperationIndex other = 0; other < pass.operations.size(); ++other)
        if (order.are_independent(reader, other) && are_apart(pass, its, pass.operations[other].scope))
          pairs.emplace_back(its, pass.operations[other].scope);
  }
  sort_once(pairs);
  return pairs;
}

std::vector<ScopePair> united(const std::vector<ScopePair>& a, const std::vector<ScopePair>& b) {
  std::vector<ScopePair> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

void keep_parallel(Variants& variants) {
  for (Variant& variant : variants.variants) keep_parallel(variant);
}

}  // namespace memo::planner
