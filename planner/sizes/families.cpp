#include "planner/sizes/families.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "planner/plan/worker_key.h"
#include "planner/steps/parallel_scopes.h"
#include "planner/trace/size_class.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

// A shape, related to the largest shape: each of its allocations has the place of the one it corresponds to. A
// shape may make fewer of each call (its loops may have fewer iterations), if the calls come in the same order.
struct Shape {
  const Variant* variant = nullptr;
  std::vector<std::size_t> places;     // of each demand of the shape: its index in the largest
  std::vector<const Demand*> demands;  // by place; null where the shape lacks the allocation
};
using Shapes = std::vector<Shape>;

bool are_alike(const VariantScope& a, const VariantScope& b) {
  return a.name == b.name && a.parent == b.parent;
}

bool are_alike(const Demand& a, const Demand& b) {
  return a.site == b.site && a.scope == b.scope;
}

bool have_same_operators(const Variant& a, const Variant& b) {
  const auto alike = [](const VariantScope& x, const VariantScope& y) { return are_alike(x, y); };
  return a.pass_name == b.pass_name &&
         std::equal(a.scopes.begin(), a.scopes.end(), b.scopes.begin(), b.scopes.end(), alike);
}

// Returns which call sites allocate in which operators.
std::set<std::pair<ScopeIndex, PlanSite>> calls_of(const Variant& variant) {
  std::set<std::pair<ScopeIndex, PlanSite>> calls;
  for (const Demand& demand : variant.demands) calls.emplace(demand.scope, demand.site);
  return calls;
}

// Returns the shape; nothing for a pass of another kind, nor where either has a loop: the sizes of a loop's
// blocks depend on the iteration.
std::optional<Shape> seen_from(const Variant& largest, const Variant& other) {
  if (!largest.loops.empty() || !other.loops.empty()) return std::nullopt;
  if (!have_same_operators(largest, other) || calls_of(largest) != calls_of(other)) return std::nullopt;
  Shape shape{.variant = &other, .places = {}, .demands = std::vector<const Demand*>(largest.demands.size())};
  std::size_t place = 0;
  for (const Demand& demand : other.demands) {
    while (place < largest.demands.size() && !are_alike(largest.demands[place], demand)) ++place;
    if (place == largest.demands.size()) return std::nullopt;
    shape.places.push_back(place);
    shape.demands[place++] = &demand;
  }
  return shape;
}

bool tells_apart(const Demand& a, const Demand& b) {
  return size_class(a.size) != size_class(b.size);
}

// The line through the largest shape and one more. No size exceeds kMaxPlanHeight, so the products below need
// more than 64 bits.
class Line {
 public:
  Line(const Variant& largest, const Shape& second) : largest_(&largest), second_(&second) {
    for (std::size_t i = 0; i < largest.demands.size(); ++i) {
      if (!counts(second, i) || !tells_apart(second, i)) continue;
      falls_ = falls_ || below(second, i) < 0;
      if (below(second, i) > most_) most_ = below(second, pivot_ = i);
    }
  }

  [[nodiscard]] bool rises() const { return most_ > 0 && !falls_; }

  [[nodiscard]] bool passes_through(const Shape& shape) const {
    if (!counts(shape, pivot_) || below(shape, pivot_) <= 0) return false;
    for (std::size_t i = 0; i < shape.demands.size(); ++i) {
      if (!counts(shape, i) || !counts(*second_, i)) continue;
      const bool matters = tells_apart(shape, i) || tells_apart(*second_, i);
      if (matters && !passes_through(shape, i)) return false;
    }
    return true;
  }

  // Returns how many bytes each allocation grows for one step of the parameter.
  [[nodiscard]] std::vector<Bytes> growth(const Shapes& shapes) const {
    std::vector<Bytes> growth(largest_->demands.size());
    for (std::size_t i = 0; i < growth.size(); ++i)
      if (grows(shapes, i)) growth[i] = below(*second_, i);
    const Bytes common = std::accumulate(growth.begin(), growth.end(), Bytes{0}, std::gcd<Bytes, Bytes>);
    for (Bytes& bytes : growth) bytes /= std::max<Bytes>(common, 1);
    return growth;
  }

 private:
  // Returns true if both shapes plan this allocation. The sizes of unplanned ones do not matter: they stay on
  // the heap anyway.
  [[nodiscard]] bool counts(const Shape& shape, std::size_t i) const {
    return shape.demands[i] != nullptr && why_unplanned(*shape.demands[i]).empty() &&
           why_unplanned(largest_->demands[i]).empty();
  }
  [[nodiscard]] bool tells_apart(const Shape& shape, std::size_t i) const {
    return planner::tells_apart(largest_->demands[i], *shape.demands[i]);
  }
  // Returns how many bytes a shape needs less than the largest.
  [[nodiscard]] Bytes below(const Shape& shape, std::size_t i) const {
    return largest_->demands[i].size - shape.demands[i]->size;
  }

  // Returns true if this size is as far from the largest, relative to the second shape, as the size that varies
  // most.
  [[nodiscard]] bool passes_through(const Shape& shape, std::size_t i) const {
    __extension__ using Product = __int128;
    return Product{below(shape, i)} * most_ == Product{below(*second_, i)} * below(shape, pivot_);
  }

  // Returns true if this allocation grows on the line. Only the shapes that make it count.
  [[nodiscard]] bool grows(const Shapes& shapes, std::size_t i) const {
    if (!counts(*second_, i) || below(*second_, i) <= 0) return false;
    std::size_t present = 0;
    std::size_t agreeing = 0;
    bool apart = false;
    for (const Shape& shape : shapes) {
      if (shape.demands[i] == nullptr) continue;
      if (!counts(shape, i)) return false;
      ++present;
      if (passes_through(shape, i)) ++agreeing;
      apart = apart || tells_apart(shape, i);
    }
    return apart || (agreeing == present && agreeing > 1);
  }

  const Variant* largest_;
  const Shape* second_;
  std::size_t pivot_ = 0;
  Bytes most_ = 0;
  bool falls_ = false;
};

// The largest set of smaller shapes on one line with the largest; empty where the largest stays alone.
struct Family {
  Shapes smaller;
  std::vector<Bytes> growth;
};

Family find_family(const Variant& largest, const Shapes& others) {
  Family best;
  for (const Shape& second : others) {
    const Line line(largest, second);
    if (!line.rises()) continue;
    Shapes on_it;
    std::copy_if(others.begin(), others.end(), std::back_inserter(on_it),
                 [&](const Shape& shape) { return line.passes_through(shape); });
    if (on_it.size() > best.smaller.size()) best = {.smaller = on_it, .growth = line.growth(on_it)};
  }
  return best;
}

// Unites two demands. `end` is the place after the last allocation of the largest shape that corresponds to one
// which the smaller shape makes before it frees this block.
void unite(Demand& demand, const Demand& other, Time end) {
  const Bytes least = std::min(demand.size - demand.spread, other.size - other.spread);
  demand.size = std::max(demand.size, other.size);
  demand.spread = demand.size - least;
  demand.alignment = std::max(demand.alignment, other.alignment);
  demand.life.end = std::max(demand.life.end, end);
  if (other.zone == PlanZone::kKept) demand.zone = PlanZone::kKept;
}

void unite(Variant& joined, const Shape& shape) {
  const Variant& other = *shape.variant;
  for (std::size_t i = 0; i < other.demands.size(); ++i) {
    const auto last = static_cast<std::size_t>(other.demands[i].life.end - 1);
    unite(joined.demands[shape.places[i]], other.demands[i], static_cast<Time>(shape.places[last] + 1));
  }
  joined.runs += other.runs;
  joined.shapes += other.shapes;
  joined.parallel = united(joined.parallel, other.parallel);
  joined.outlasting = united(joined.outlasting, other.outlasting);
}

Variant join(const Variant& largest, const Family& family) {
  Variant joined = largest;
  for (std::size_t i = 0; i < joined.demands.size(); ++i) joined.demands[i].growth = family.growth[i];
  for (const Shape& shape : family.smaller) unite(joined, shape);
  return joined;
}

std::set<std::uint64_t> keys_of(const Variant& largest, const Family& family) {
  std::set<std::uint64_t> keys{largest.key};
  for (const Shape& shape : family.smaller) keys.insert(shape.variant->key);
  return keys;
}

// Joins the anchors that open passes of this variant, all at the site of its first allocation.
void join_anchors(std::vector<Anchor>& anchors, const Variant& variant, const std::set<std::uint64_t>& keys) {
  const Demand& opening = variant.demands.front();
  const auto opens_it = [&](const Anchor& anchor) {
    return anchor.site == opening.site && keys.contains(anchor.key);
  };
  const auto first = std::find_if(anchors.begin(), anchors.end(), opens_it);
  if (first == anchors.end()) return;
  for (auto other = first + 1; other != anchors.end(); ++other) {
    if (!opens_it(*other)) continue;
    first->least = std::min(first->least, other->least);
    first->most = std::max(first->most, other->most);
  }
  if (opening.growth > 0) first->most = Anchor::kAnySize;
  anchors.erase(std::remove_if(first + 1, anchors.end(), opens_it), anchors.end());
}

// Removes these keys everywhere: a variant that kept one would keep passes of that key away from the variants
// that lost it.
void drop_keys(Variants& variants, const std::set<std::uint64_t>& keys) {
  for (Variant& variant : variants.variants)
    if (keys.contains(variant.key)) variant.key = 0;
  for (Anchor& anchor : variants.anchors)
    if (keys.contains(anchor.key)) anchor.key = 0;
}

std::vector<const Variant*> largest_first(const std::vector<Variant>& variants) {
  std::vector<const Variant*> sorted;
  sorted.reserve(variants.size());
  for (const Variant& variant : variants) sorted.push_back(&variant);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Variant* a, const Variant* b) {
    return bytes_requested(*a) > bytes_requested(*b);
  });
  return sorted;
}

Shapes seen_from(const Variant& largest, std::span<const Variant* const> others) {
  Shapes shapes;
  for (const Variant* other : others)
    if (std::optional<Shape> shape = seen_from(largest, *other)) shapes.push_back(std::move(*shape));
  return shapes;
}

void take_out(std::vector<const Variant*>& left, const Variant& largest, const Family& family) {
  std::erase_if(left, [&](const Variant* variant) {
    return variant == &largest || std::any_of(family.smaller.begin(), family.smaller.end(),
                                              [&](const Shape& shape) { return shape.variant == variant; });
  });
}

}  // namespace

void join_families(Variants& variants) {
  std::vector<Variant> found = std::move(variants.variants);
  const auto workers = std::stable_partition(
      found.begin(), found.end(), [](const Variant& variant) { return !is_key_of_workers(variant.key); });
  variants.variants.assign(workers, found.end());  // a worker variant serves all shapes unchanged
  found.erase(workers, found.end());
  std::set<std::uint64_t> mixed;  // keys of families that have several keys
  std::vector<const Variant*> left = largest_first(found);
  while (!left.empty()) {
    const Variant& largest = *left.front();
    const Family family = find_family(largest, seen_from(largest, std::span(left).subspan(1)));
    take_out(left, largest, family);
    variants.variants.push_back(family.smaller.empty() ? largest : join(largest, family));
    if (family.smaller.empty()) continue;
    const std::set<std::uint64_t> keys = keys_of(largest, family);
    join_anchors(variants.anchors, variants.variants.back(), keys);
    if (keys.size() > 1) mixed.insert(keys.begin(), keys.end());
  }
  drop_keys(variants, mixed);
  std::stable_sort(variants.variants.begin(), variants.variants.end(),
                   [](const Variant& a, const Variant& b) {
                     const bool others[] = {!is_key_of_workers(a.key), !is_key_of_workers(b.key)};
                     return others[0] != others[1] ? others[0] : a.runs > b.runs;
                   });
}

}  // namespace memo::planner
