#include "planner/sizes/structures.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "planner/fold/bodies.h"
#include "planner/fold/tree.h"
#include "planner/lives/unrolled.h"
#include "planner/sizes/structure_sizes.h"
#include "planner/steps/alignment.h"
#include "planner/steps/sequences.h"
#include "planner/trace/mix.h"
#include "planner/trace/size_class.h"
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
// By so much of it the joint layout may be higher than its largest shape's: where nothing but their sizes tells the shapes apart, and
// else.
constexpr double kSizesMayCost = 0.75;
constexpr double kMayCost = 0.25;
constexpr std::size_t kLargestShapes = 8;  // looked at for that

// ---- shapes ----

std::uint64_t fingerprint_of(const Nested& sequence) {
  std::uint64_t hash = sequence.steps.size();
  for (std::size_t i = 0; i < sequence.steps.size(); ++i)
    hash = mix(mix(hash, sequence.steps[i].context), sequence.around[i]);
  return hash;
}

// Collects the distinct sequences of a kind, without those that would take too long: the first ones, in which a JIT compiles, most
// likely.
std::vector<Shape> shapes_of(const std::vector<const Member*>& kind, StepContexts& contexts) {
  std::vector<Shape> shapes;
  std::unordered_map<std::uint64_t, std::size_t> known;
  std::size_t steps = 0;
  for (auto newest = kind.rbegin(); newest != kind.rend(); ++newest) {
    const Member* member = *newest;
    Nested sequence = sequence_of(*member, contexts);
    const std::uint64_t fingerprint = fingerprint_of(sequence);
    if (const auto at = known.find(fingerprint); at != known.end()) {
      shapes[at->second].members.push_back(member);
      continue;
    }
    steps += sequence.steps.size();
    if (shapes.size() == kMostShapes || steps > kMostSteps) continue;
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

std::vector<std::uint64_t> ids_of(const Tree& tree) {
  std::vector<std::uint64_t> ids;
  for (const Entry& entry : tree.entries) ids.push_back(entry.source().id);
  return ids;
}

// Adds the shape, with entries of its own for the pieces that the tree lacks.
void add(Tree& tree, const Shape& shape, const std::vector<std::uint32_t>& alignment) {
  Merged merged = merge(tree.entries.size(), alignment);
  std::vector<Entry> entries;
  for (const Merged::Origin& origin : merged.elements)
    entries.push_back(origin.is_base ? tree.entries[origin.place]
                                     : Entry{.from = &shape, .piece = origin.place});
  tree.entries = std::move(entries);
  for (ShapeRun& other : tree.runs)
    for (std::uint32_t& entry : other.entries) entry = merged.base[entry];
  tree.runs.push_back({.shape = &shape, .entries = std::move(merged.other), .made = {}, .scopes = {}});
}

// Counts the steps of a piece, in one iteration.
std::size_t steps_of(const Piece& piece) {
  if (!piece.is_loop()) return 1;
  std::size_t most = 0;
  for (const Iteration& iteration : piece.iterations) {
    std::size_t steps = 0;
    for (const Piece& inside : iteration) steps += steps_of(inside);
    most = std::max(most, steps);
  }
  return most;
}

// Steps that two sequences of pieces have, and those of them that correspond.
struct Common {
  std::size_t base = 0, other = 0;
  std::size_t in_base = 0, in_other = 0;

  // Returns true if all but one in so many of the steps of either correspond.
  [[nodiscard]] bool is_enough(std::size_t odd_one_in) const {
    return in_base * odd_one_in >= base * (odd_one_in - 1) &&
           in_other * odd_one_in >= other * (odd_one_in - 1);
  }
};

// Counts the steps, with those of the entries and pieces for which the conditions hold.
template <typename InBase, typename InOther>
Common count_steps(const Tree& tree, const Shape& shape, InBase is_in_base, InOther is_in_other) {
  Common common;
  for (std::uint32_t entry = 0; entry < tree.entries.size(); ++entry) {
    const std::size_t steps = steps_of(tree.entries[entry].source());
    common.base += steps;
    common.in_base += is_in_base(entry) ? steps : 0;
  }
  for (std::uint32_t piece = 0; piece < shape.pieces.size(); ++piece) {
    const std::size_t steps = steps_of(shape.pieces[piece]);
    common.other += steps;
    common.in_other += is_in_other(piece) ? steps : 0;
  }
  return common;
}

// Counts each piece that the other sequence has anywhere: no alignment finds more. Takes much less time than to align.
Common most_in_common(const Tree& tree, const Shape& shape) {
  std::unordered_set<std::uint64_t> base, other;
  for (const Entry& entry : tree.entries) base.insert(entry.source().id);
  for (const Piece& piece : shape.pieces) other.insert(piece.id);
  return count_steps(
      tree, shape, [&](std::uint32_t entry) { return other.contains(tree.entries[entry].source().id); },
      [&](std::uint32_t piece) { return base.contains(shape.pieces[piece].id); });
}

Common in_common(const Tree& tree, const Shape& shape, const std::vector<std::uint32_t>& alignment) {
  const std::unordered_set<std::uint32_t> aligned(alignment.begin(), alignment.end());
  return count_steps(
      tree, shape, [&](std::uint32_t entry) { return aligned.contains(entry); },
      [&](std::uint32_t piece) { return alignment[piece] != kUnaligned; });
}

bool join(Tree& tree, const Shape& shape, std::size_t odd_one_in) {
  if (!most_in_common(tree, shape).is_enough(odd_one_in)) return false;
  const auto alignment = align(ids_of(tree), ids_of(shape.pieces));
  if (!alignment || !in_common(tree, shape, *alignment).is_enough(odd_one_in)) return false;
  add(tree, shape, *alignment);
  return true;
}

// Shapes with the same pieces.
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
  for (const Shape* shape : shapes) add(groups[ids_of(shape->pieces)], *shape);
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

std::vector<Tree> trees_of(const Bodies& bodies, const std::vector<const Shape*>& shapes,
                           std::size_t odd_one_in) {
  std::vector<Tree> trees;
  const std::vector<Group> groups = groups_of(shapes);
  const std::uint64_t steady = first_steady(groups);
  for (const Group& group : groups) {
    const bool once = group.passes < 2 && group.first < steady;
    for (const Shape* shape : group.shapes) {
      const bool joined = std::any_of(trees.begin(), trees.end(), [&](Tree& tree) {
        return join(tree, *shape, once ? kNearlyOddOneIn : odd_one_in);
      });
      if (joined || once) continue;
      trees.emplace_back().bodies = &bodies;
      add(trees.back(), *shape, std::vector<std::uint32_t>(shape->pieces.size(), kUnaligned));
    }
  }
  return trees;
}

// ---- is a structure worth it ----

bool has_many_shapes(const Tree& tree) {
  std::map<std::uint64_t, std::size_t> runs;
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members()) runs[member->fingerprint] += member->runs;
  const auto once = std::count_if(runs.begin(), runs.end(), [](const auto& one) { return one.second == 1; });
  return static_cast<std::size_t>(once) >= kFewShapes;
}

std::size_t steps_in_all_iterations(const Piece& piece) {
  std::size_t steps = piece.is_loop() ? 0 : 1;
  for (const Iteration& iteration : piece.iterations)
    for (const Piece& inside : iteration) steps += steps_in_all_iterations(inside);
  return steps;
}

// Returns equal values for passes that do the same outside of their loops, and ask for as much before the longest. What comes after
// may work on all that it has gathered.
std::uint64_t frame_of(const Shape& shape, const Pass& pass) {
  const auto longest = std::ranges::max_element(shape.pieces, {}, steps_in_all_iterations);
  std::uint64_t hash = 0;
  for (auto piece = shape.pieces.begin(); piece != shape.pieces.end(); ++piece) {
    hash = mix(hash, piece->id);
    if (piece >= longest || piece->is_loop() || shape.is_scope[piece->begin]) continue;
    const Allocation& made = pass.allocations[shape.made_before(piece->begin)];
    hash = mix(hash, static_cast<std::uint64_t>(size_class(made.size)));
  }
  return hash;
}

bool differ_in_loops_alone(const Tree& tree) {
  std::set<std::uint64_t> frames;
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members()) frames.insert(frame_of(*run.shape, *member->pass));
  return frames.size() == 1;
}

Bytes peak_of(const Pass& pass) {
  Problem problem;
  for (const Allocation& made : pass.allocations)
    if (!escapes(made)) problem.buffers.push_back({.life = made.life, .size = std::max<Bytes>(made.size, 1)});
  return peak_live_bytes(problem);
}

// A pass and where it lies in the tree.
struct Largest {
  const ShapeRun* run = nullptr;
  const Pass* pass = nullptr;
};

// Returns the passes of the tree that ask for most, the largest first.
std::vector<Largest> largest_first(const Tree& tree) {
  std::vector<Largest> passes;
  for (const ShapeRun& run : tree.runs)
    for (const Member* member : run.members()) passes.push_back({&run, member->pass});
  std::stable_sort(passes.begin(), passes.end(), [](const Largest& a, const Largest& b) {
    return bytes_requested(*a.pass) > bytes_requested(*b.pass);
  });
  return passes;
}

// Returns the range without the sizes that vary, which take longer to find.
ShapeRange range_of(const std::vector<Largest>& passes) {
  ShapeRange range{.least = bytes_requested(*passes.back().pass),
                   .most = bytes_requested(*passes.front().pass)};
  for (std::size_t i = 0; i < std::min(passes.size(), kLargestShapes); ++i)
    range.alone = std::max(range.alone, peak_of(*passes[i].pass));
  return range;
}

// Passes with one name and key.
using Kind = std::vector<const Member*>;

std::vector<Kind> kinds_of(const std::vector<Member>& members) {
  std::map<std::pair<std::string_view, std::uint64_t>, Kind> kinds;
  for (const Member& member : members)
    kinds[{member.view->trace->name(member.pass->name), member.pass->key}].push_back(&member);
  std::vector<Kind> found;
  found.reserve(kinds.size());
  for (auto& [name, kind] : kinds) found.push_back(std::move(kind));
  return found;
}

// How many shapes of a kind come once, and how many more often.
struct Recurrence {
  std::size_t once = 0;
  std::size_t more = 0;
};

Recurrence recurrence_of(const Kind& kind) {
  std::unordered_map<std::uint64_t, std::size_t> runs;
  for (const Member* member : kind) runs[member->fingerprint] += member->runs;
  Recurrence found;
  for (const auto& [shape, of_shape] : runs) ++(of_shape == 1 ? found.once : found.more);
  return found;
}

// Variants of one kind, and the passes that they serve.
struct Joined {
  std::vector<Variant> variants;
  std::vector<const Member*> members;
};

// Makes variants of the passes of one kind.
class Joiner {
 public:
  Joiner(const Bodies& bodies, const Recurrence& recurrence) : bodies_(bodies), recurrence_(recurrence) {}

  // Joins shapes to variants. Those whose joint layout would cost too much are parted by what they have in common: they
  // may have large blocks that never live in one pass, as an engine takes another way for some sizes.
  void join(const std::vector<const Shape*>& shapes, std::size_t odd_one_in) {
    for (Tree& tree : trees_of(bodies_, shapes, odd_one_in)) {
      Variant variant = unroll(tree);
      const bool are_many = has_many_shapes(tree);
      if (!are_many && (variant.loops.empty() || !are_few_wanted(tree))) continue;
      if (variant.loops.size() > kMaxLoops) continue;
      const std::vector<Largest> passes = largest_first(tree);
      variant.range = range_of(passes);
      if (costs_little(tree, variant, passes, odd_one_in)) {
        add(tree, std::move(variant), are_many ? many_ : few_);
      } else if (odd_one_in < kNearlyOddOneIn) {
        std::vector<const Shape*> parts;
        for (const ShapeRun& run : tree.runs) parts.push_back(run.shape);
        join(parts, 2 * odd_one_in);
      }
    }
  }

  // Returns the variants of many shapes. Where there are none, a loop makes one of few: each more is one more that a pass may begin in.
  [[nodiscard]] Joined joined() && { return std::move(many_.variants.empty() ? few_ : many_); }

 private:
  // Passes that recur have variants of their own, exact ones, unless they differ in nothing but how often they repeat something. Beside
  // a single shape that recurs, the others are its warm-up.
  [[nodiscard]] bool are_few_wanted(const Tree& tree) const {
    return recurrence_.more == 0 || (recurrence_.more > 1 && differ_in_loops_alone(tree));
  }

  // Compares the joint layout with the highest that one pass would need if all were as large as it is. Those that cannot be parted any
  // more may cost more, as where each has another number of boxes in each class: while they run, the library would enlarge the plan of
  // one of them until all fit.
  static bool costs_little(const Tree& tree, const Variant& variant, const std::vector<Largest>& passes,
                           std::size_t odd_one_in) {
    Bytes alone = variant.range.alone;
    for (std::size_t i = 0; i < std::min(passes.size(), kLargestShapes); ++i)
      alone = std::max(alone, peak_with_sizes_of(tree, variant, *passes[i].run, *passes[i].pass));
    const double may_cost = odd_one_in >= kNearlyOddOneIn ? kSizesMayCost : kMayCost;
    return static_cast<double>(peak_planned(variant)) <= (1 + may_cost) * static_cast<double>(alone);
  }

  static void add(const Tree& tree, Variant variant, Joined& joined) {
    explain_sizes(tree, variant);
    joined.variants.push_back(std::move(variant));
    for (const ShapeRun& run : tree.runs)
      joined.members.insert(joined.members.end(), run.members().begin(), run.members().end());
  }

  const Bodies& bodies_;
  Recurrence recurrence_;
  Joined many_, few_;
};

}  // namespace

std::vector<Variant> join_structures(std::vector<Member>& members) {
  std::vector<Variant> variants;
  std::set<const Member*> joined;
  for (const Kind& kind : kinds_of(members)) {
    StepContexts contexts;
    std::vector<Shape> shapes = shapes_of(kind, contexts);
    const Recurrence recurrence = recurrence_of(kind);
    if (shapes.size() < 2 && recurrence.once < kFewShapes) continue;
    fold_together(shapes);
    const Bodies bodies(shapes);
    std::vector<const Shape*> all;
    all.reserve(shapes.size());
    for (const Shape& shape : shapes) all.push_back(&shape);
    Joiner joiner(bodies, recurrence);
    joiner.join(all, kOddOneIn);
    Joined found = std::move(joiner).joined();
    std::ranges::move(found.variants, std::back_inserter(variants));
    joined.insert(found.members.begin(), found.members.end());
  }
  std::erase_if(members, [&](const Member& member) { return joined.contains(&member); });
  return variants;
}

}  // namespace memo::planner
