#include "planner/variants/structures.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "planner/trace/mix.h"
#include "planner/variants/alignment.h"
#include "planner/variants/loop_bodies.h"
#include "planner/variants/nested_bodies.h"
#include "planner/variants/selection.h"
#include "planner/variants/structure.h"
#include "planner/variants/structure_sizes.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostShapes = 256;                  // distinct sequences of one kind
constexpr std::size_t kMostSteps = std::size_t{1} << 22;  // of all of them
// Shapes share a structure if all but one in so many of the steps of the longer are common to both.
constexpr std::size_t kOddOneIn = 4;
// A pass of the warm-up that came once is no run of a structure unless nearly all of its steps are. Shapes whose joint
// layout would cost too much are parted until their steps agree as much.
constexpr std::size_t kNearlyOddOneIn = 64;
// By so much of it the joint layout may be higher than its largest shape's: with loops in loops, where nothing but their sizes tells the
// shapes apart and there is no loop, and else.
constexpr double kLoopsMayCost = 0.5;
constexpr double kSizesMayCost = 0.75;
constexpr double kMayCost = 0.125;
constexpr std::size_t kLargestShapes = 8;  // looked at for that

// ---- shapes ----

std::uint64_t fingerprint_of(const Nested& sequence) {
  std::uint64_t hash = sequence.steps.size();
  for (std::size_t i = 0; i < sequence.steps.size(); ++i)
    hash = mix(mix(hash, sequence.steps[i].context), sequence.around[i]);
  return hash;
}

// Collects the distinct sequences of a kind, without those that would take too long.
std::vector<Shape> shapes_of(const std::vector<const Member*>& kind, LoopContexts& contexts) {
  std::vector<Shape> shapes;
  std::unordered_map<std::uint64_t, std::size_t> known;
  std::size_t steps = 0;
  for (const Member* member : kind) {
    Nested sequence = sequence_of(*member, contexts);
    const std::uint64_t fingerprint = fingerprint_of(sequence);
    if (const auto at = known.find(fingerprint); at != known.end()) {
      shapes[at->second].members.push_back(member);
      continue;
    }
    steps += sequence.steps.size();
    if (shapes.size() == kMostShapes || steps > kMostSteps || sequence.steps.size() > kMostStepsToRoll)
      continue;
    known.emplace(fingerprint, shapes.size());
    Shape& shape = shapes.emplace_back();
    shape.scopes_before.push_back(0);
    for (const Step& step : sequence.steps) {
      shape.is_scope.push_back(contexts.is_scope(step.context));
      shape.scopes_before.push_back(shape.scopes_before.back() + (shape.is_scope.back() ? 1U : 0U));
    }
    shape.sequence = std::move(sequence);
    shape.members.push_back(member);
  }
  return shapes;
}

// ---- structures ----

std::vector<std::uint64_t> ids_of(const Structure& structure) {
  std::vector<std::uint64_t> ids;
  for (const Entry& entry : structure.entries) ids.push_back(entry.source().id);
  return ids;
}

std::vector<std::uint64_t> ids_of(const Shape& shape) {
  std::vector<std::uint64_t> ids;
  for (const Token& token : shape.tokens) ids.push_back(token.id);
  return ids;
}

// Adds the shape, with entries of its own for the tokens that the structure lacks.
void add(Structure& structure, const Shape& shape, const std::vector<std::uint32_t>& alignment) {
  Merged merged = merge(structure.entries.size(), alignment);
  std::vector<Entry> entries;
  for (const Merged::Origin& origin : merged.elements)
    entries.push_back(origin.is_base ? structure.entries[origin.place]
                                     : Entry{.from = &shape, .token = origin.place});
  structure.entries = std::move(entries);
  for (AlignedShape& other : structure.shapes)
    for (std::uint32_t& entry : other.entries) entry = merged.base[entry];
  structure.shapes.push_back({.shape = &shape, .entries = std::move(merged.other)});
}

bool join(Structure& structure, const Shape& shape, std::size_t odd_one_in) {
  const std::vector<std::uint64_t> base = ids_of(structure);
  const std::vector<std::uint64_t> other = ids_of(shape);
  const auto is_enough = [&](std::size_t common) {
    return common * odd_one_in >= std::max(base.size(), other.size()) * (odd_one_in - 1);
  };
  if (!is_enough(count_common(base, other))) return false;
  const auto alignment = align(base, other);
  if (!alignment || !is_enough(count_aligned(*alignment))) return false;
  add(structure, shape, *alignment);
  return true;
}

// Shapes with the same tokens.
struct Group {
  std::vector<const Shape*> shapes;
  std::size_t passes = 0;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();  // number of the first pass
};

void add(Group& group, const Shape& shape) {
  group.shapes.push_back(&shape);
  for (const Member* member : shape.members) {
    group.passes += member->runs;
    group.first = std::min(group.first, member->first);
  }
}

std::vector<Group> groups_of(const std::vector<const Shape*>& shapes) {
  std::map<std::vector<std::uint64_t>, Group> groups;
  for (const Shape* shape : shapes) add(groups[ids_of(*shape)], *shape);
  std::vector<Group> sorted;
  sorted.reserve(groups.size());
  for (auto& [ids, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Group& a, const Group& b) { return a.passes > b.passes; });
  return sorted;
}

// Returns the number of the first pass behind the warm-up: the first of those that recur, if it comes before any
// warm-up is over.
std::uint64_t first_steady(const std::vector<Group>& groups) {
  std::uint64_t first = kLongestWarmUp;
  for (const Group& group : groups)
    if (group.passes > 1) first = std::min(first, group.first);
  return first;
}

std::vector<Structure> structures_of(const std::vector<const Shape*>& shapes, std::size_t odd_one_in) {
  std::vector<Structure> structures;
  const std::vector<Group> groups = groups_of(shapes);
  const std::uint64_t steady = first_steady(groups);
  for (const Group& group : groups) {
    const bool once = group.passes < 2 && group.first < steady;
    for (const Shape* shape : group.shapes) {
      const bool joined = std::any_of(structures.begin(), structures.end(), [&](Structure& structure) {
        return join(structure, *shape, once ? kNearlyOddOneIn : odd_one_in);
      });
      if (!joined && !once)
        add(structures.emplace_back(), *shape, std::vector<std::uint32_t>(shape->tokens.size(), kUnaligned));
    }
  }
  return structures;
}

// ---- is a structure worth it ----

bool has_many_shapes(const Structure& structure) {
  std::map<std::uint64_t, std::size_t> runs;
  for (const AlignedShape& aligned : structure.shapes)
    for (const Member* member : aligned.shape->members) runs[member->fingerprint] += member->runs;
  const auto once = std::count_if(runs.begin(), runs.end(), [](const auto& one) { return one.second == 1; });
  return static_cast<std::size_t>(once) >= kFewShapes;
}

Bytes peak_of(const Pass& pass) {
  Problem problem;
  for (const Allocation& made : pass.allocations)
    if (!escapes(made)) problem.buffers.push_back({.life = made.life, .size = std::max<Bytes>(made.size, 1)});
  return peak_live_bytes(problem);
}

Bytes peak_of(const Variant& variant) {
  Problem problem;
  for (const Demand& demand : variant.demands)
    if (why_unplanned(demand).empty()) problem.buffers.push_back({.life = demand.life, .size = demand.size});
  return peak_live_bytes(problem);
}

// Returns the range without the sizes that vary, which take longer to find.
ShapeRange range_of(const Structure& structure) {
  std::vector<std::pair<Bytes, const Pass*>> passes;
  for (const AlignedShape& aligned : structure.shapes)
    for (const Member* member : aligned.shape->members)
      passes.emplace_back(bytes_requested(*member->pass), member->pass);
  std::sort(passes.begin(), passes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  ShapeRange range{.least = passes.back().first, .most = passes.front().first};
  for (std::size_t i = 0; i < std::min(passes.size(), kLargestShapes); ++i)
    range.alone = std::max(range.alone, peak_of(*passes[i].second));
  return range;
}

// Returns true if an iteration of a loop has a loop in it. Loops stand in the order of their demands, a loop before those in
// it.
bool has_loops_in_loops(const Variant& variant) {
  return std::adjacent_find(variant.loops.begin(), variant.loops.end(),
                            [](const VariantLoop& a, const VariantLoop& b) { return b.begin() < a.end(); }) !=
         variant.loops.end();
}

// Makes variants of the passes of one kind.
class Joiner {
 public:
  Joiner(Structures wanted, std::vector<Variant>& variants, std::set<const Member*>& joined)
      : wanted_(wanted), variants_(variants), joined_(joined) {}

  // Joins shapes to variants. Those whose joint layout would cost too much are parted by what they have in common: they
  // may have large blocks that never live in one pass, as an engine takes another way for some sizes.
  void join(const std::vector<const Shape*>& shapes, std::size_t odd_one_in) {
    for (const Structure& structure : structures_of(shapes, odd_one_in)) {
      if (!has_many_shapes(structure)) continue;
      Variant variant = variant_of(structure);
      if (!is_wanted(variant)) continue;
      variant.range = range_of(structure);
      if (costs_little(variant, odd_one_in)) {
        add(structure, std::move(variant));
      } else if (odd_one_in < kNearlyOddOneIn) {
        std::vector<const Shape*> parts;
        for (const AlignedShape& aligned : structure.shapes) parts.push_back(aligned.shape);
        join(parts, 2 * odd_one_in);
      }
    }
  }

 private:
  [[nodiscard]] bool is_wanted(const Variant& variant) const {
    const bool any = wanted_ == Structures::kOnOneLevel || has_loops_in_loops(variant);
    return any && variant.loops.size() <= kMaxLoops;
  }

  // Without a joint layout, passes with loops in loops have none, since they hardly ever recur. Nor have those that cannot be parted any
  // more, as where each has another number of boxes in each class: while they run, the library would enlarge the plan of one of them
  // until all fit.
  static bool costs_little(const Variant& variant, std::size_t odd_one_in) {
    const bool differ_in_sizes_alone = odd_one_in >= kNearlyOddOneIn && variant.loops.empty();
    double may_cost = differ_in_sizes_alone ? kSizesMayCost : kMayCost;
    if (has_loops_in_loops(variant)) may_cost = kLoopsMayCost;
    return static_cast<double>(peak_of(variant)) <= (1 + may_cost) * static_cast<double>(variant.range.alone);
  }

  void add(const Structure& structure, Variant variant) {
    explain_sizes(structure, variant);
    variants_.push_back(std::move(variant));
    for (const AlignedShape& aligned : structure.shapes)
      joined_.insert(aligned.shape->members.begin(), aligned.shape->members.end());
  }

  Structures wanted_;
  std::vector<Variant>& variants_;
  std::set<const Member*>& joined_;
};

void join_tokens(const std::vector<Shape>& shapes, Joiner& joiner) {
  std::vector<const Shape*> all;
  all.reserve(shapes.size());
  for (const Shape& shape : shapes) all.push_back(&shape);
  joiner.join(all, kOddOneIn);
}

void join_on_one_level(std::vector<Shape>& shapes, Joiner& joiner) {
  for (Shape& shape : shapes) shape.pieces = roll(shape.sequence, shape.scopes_before);
  const LoopBodies bodies(shapes);
  for (Shape& shape : shapes) shape.tokens = bodies.tokens_of(shape);
  join_tokens(shapes, joiner);
}

void join_with_loops_in_loops(std::vector<Shape>& shapes, Joiner& joiner) {
  std::vector<Rolled> rolled;
  rolled.reserve(shapes.size());
  for (const Shape& shape : shapes)
    rolled.push_back({.sequence = &shape.sequence, .scopes_before = shape.scopes_before, .pieces = {}});
  roll_together(rolled);
  const NestedBodies bodies(rolled);
  for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i].tokens = bodies.tokens_of(rolled[i].pieces);
  join_tokens(shapes, joiner);
}

// Returns the kinds of passes, by name and key, with more sizes that come once than a warm-up has.
std::vector<std::vector<const Member*>> kinds_with_many_shapes(const std::vector<Member>& members) {
  std::map<std::uint64_t, std::size_t> runs;
  for (const Member& member : members) runs[member.fingerprint] += member.runs;
  std::map<std::pair<std::string_view, std::uint64_t>, std::vector<const Member*>> kinds;
  for (const Member& member : members)
    kinds[{member.view->trace->name(member.pass->name), member.pass->key}].push_back(&member);
  std::vector<std::vector<const Member*>> found;
  for (auto& [name, kind] : kinds) {
    const auto once = std::count_if(kind.begin(), kind.end(),
                                    [&](const Member* member) { return runs[member->fingerprint] == 1; });
    if (static_cast<std::size_t>(once) >= kFewShapes) found.push_back(std::move(kind));
  }
  return found;
}

}  // namespace

std::vector<Variant> join_structures(std::vector<Member>& members, Structures wanted) {
  std::vector<Variant> variants;
  std::set<const Member*> joined;
  Joiner joiner(wanted, variants, joined);
  for (const auto& kind : kinds_with_many_shapes(members)) {
    LoopContexts contexts;
    std::vector<Shape> shapes = shapes_of(kind, contexts);
    if (wanted == Structures::kOnOneLevel)
      join_on_one_level(shapes, joiner);
    else
      join_with_loops_in_loops(shapes, joiner);
  }
  std::vector<Member> rest;
  for (const Member& member : members)
    if (!joined.contains(&member)) rest.push_back(member);
  members = std::move(rest);
  return variants;
}

}  // namespace memo::planner
