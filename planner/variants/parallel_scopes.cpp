#include "planner/variants/parallel_scopes.h"

#include <algorithm>
#include <numeric>

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

void keep_parallel(Variant& variant) {
  std::vector<bool> has_company(variant.scopes.size());
  for (const auto& [a, b] : variant.parallel) has_company[a] = has_company[b] = true;
  const std::vector<Lifetime> lives = lives_with_companions(variant);
  for (Demand& demand : variant.demands) lengthen(demand, variant, lives, has_company);
}

}  // namespace

// Walks the scopes in the order of their begins: after the first one that begins too late to overlap, all begin
// too late.
std::vector<ScopePair> parallel_scopes(const Pass& pass) {
  std::vector<ScopeIndex> order(pass.scopes.size());
  std::iota(order.begin(), order.end(), ScopeIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](ScopeIndex a, ScopeIndex b) {
    return pass.scopes[a].begin_ns < pass.scopes[b].begin_ns;
  });
  std::vector<ScopePair> pairs;
  for (auto a = order.begin(); a != order.end(); ++a) {
    for (auto b = a + 1; b != order.end() && pass.scopes[*b].begin_ns < pass.scopes[*a].end_ns; ++b) {
      if (!overlap_in_time(pass.scopes[*a], pass.scopes[*b])) continue;
      if (is_inside(pass.scopes, *a, *b) || is_inside(pass.scopes, *b, *a)) continue;
      pairs.push_back(std::minmax(*a, *b));
    }
  }
  return pairs;
}

void keep_parallel(Variants& variants) {
  for (Variant& variant : variants.variants) keep_parallel(variant);
}

}  // namespace memo::planner
