#include "planner/variants/loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "planner/period/repeats.h"
#include "planner/variants/loop_layout.h"
#include "planner/variants/loop_lives.h"
#include "planner/variants/loop_runs.h"
#include "planner/variants/loop_unrolling.h"
#include "planner/variants/selection.h"
#include "planner/variants/zones.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostSequences = 16;  // sequences searched for a body
constexpr std::uint32_t kMostStepsOfBehind = 4;
constexpr std::size_t kMostSteps = std::size_t{1} << 20;
constexpr std::size_t kEnoughSteps = std::size_t{1} << 18;  // of two sequences: each has many iterations then

// ---- the passes of a kind ----

// The passes with one name and key: different shapes, different numbers of iterations, warm-up.
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

// Returns one of each distinct sequence, beginning with the last passes, since warm-up comes first.
std::vector<Nested> sequences_of(const Kind& kind, LoopContexts& contexts) {
  std::set<std::uint64_t> seen;
  std::vector<Nested> sequences;
  std::size_t steps = 0;
  for (auto member = kind.rbegin(); member != kind.rend() && sequences.size() < kMostSequences; ++member) {
    if (!seen.insert((*member)->fingerprint).second) continue;
    Nested sequence = sequence_of(**member, contexts);
    steps += sequence.steps.size();
    if (steps > (sequences.size() < 2 ? kMostSteps : kEnoughSteps)) break;
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

// Returns the steps that most iterations of the body have: the search may have found it by one that lacks some, as the last
// iteration, which no other equals.
Body as_most_iterations_are(const Body& body, const std::vector<Nested>& sequences) {
  std::map<Body, std::size_t> counts;
  for (const Nested& sequence : sequences) {
    const Repeats repeats = repeats_of(body, sequence);
    for (std::size_t i = 0; i < repeats.count(); ++i) {
      Body contexts;
      for (std::uint32_t step = repeats.begins[i]; step < repeats.begins[i + 1]; ++step)
        contexts.push_back(sequence.steps[step].context);
      ++counts[std::move(contexts)];
    }
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& iteration) { return iteration.second; });
  return most == counts.end() || counts[body] == most->second ? body : most->first;
}

// Returns with how many steps of an iteration the sequence goes on behind the loop; nothing if it has no iteration.
std::optional<std::size_t> steps_alike_behind(const Body& body, const Nested& sequence) {
  const Repeats repeats = repeats_of(body, sequence);
  if (repeats.count() == 0) return std::nullopt;
  std::size_t steps = 0;
  for (std::size_t at = repeats.begins.back(); at < sequence.steps.size() && steps < body.size();
       ++at, ++steps)
    if (sequence.steps[at].context != body[steps]) break;
  return steps;
}

// Returns the body, begun as late as what follows the loop begins alike in all sequences: `a b c a b c a d` is `b c a` twice, between
// `a` and `d`. So the first step of an iteration is none of those behind the loop, and tells a pass where it goes on.
Body begun_late(Body body, const std::vector<Nested>& sequences) {
  std::size_t later = body.size();
  for (const Nested& sequence : sequences)
    later = std::min(later, steps_alike_behind(body, sequence).value_or(later));
  if (later < body.size())
    std::rotate(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(later), body.end());
  return body;
}

bool differ_in_iterations(const std::vector<Run>& runs) {
  if (runs.empty()) return false;
  const auto [least, most] = std::minmax_element(
      runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.iterations() < b.iterations(); });
  return least->iterations() != most->iterations() && most->iterations() >= kLeastIterations;
}

// ---- their variant ----

const Run& longest(const std::vector<Run>& runs) {
  return *std::max_element(runs.begin(), runs.end(),
                           [](const Run& a, const Run& b) { return a.iterations() < b.iterations(); });
}

Bytes peak_planned(const Variant& variant) {
  Problem problem;
  for (const Demand& demand : variant.demands)
    if (why_unplanned(demand).empty()) problem.buffers.push_back({.life = demand.life, .size = demand.size});
  return peak_live_bytes(problem);
}

// What the plan and the library keep of a slot: its lines of the tables, and a bit for each place that shares its bytes.
constexpr Bytes kBytesOfSlot = 256;
// A block on the heap is handed out anew in each iteration. That counts as much as the memory that it takes.
constexpr Bytes kWeightOfHeap = 2;

// Writes the variant of a loop for blocks that live through up to so many iterations.
class Unrolling {
 public:
  Unrolling(const Numbered& body, const std::vector<Run>& runs, std::size_t exact, std::uint32_t deepest)
      : body_(body), runs_(runs), exact_(exact), lives_(body, runs, deepest), variant_(best()) {}

  [[nodiscard]] const LoopLives& lives() const { return lives_; }
  [[nodiscard]] const Variant& variant() const { return variant_; }

  // Returns what the variant costs in bytes: its slab, its slots, and what it leaves to the heap since it lives too long. Returns
  // nothing where it has more blocks that no cell can hold than a plan has places for.
  [[nodiscard]] std::optional<Bytes> cost() const {
    Selection selection(variant_);
    note_surplus({&selection, 1});
    if (std::ranges::count(selection.surplus, true) != 0) return std::nullopt;
    return peak_planned(variant_) + static_cast<Bytes>(variant_.demands.size()) * kBytesOfSlot +
           kWeightOfHeap * lives_.lingering_bytes();
  }

 private:
  [[nodiscard]] Variant unrolled(Growing growing) const {
    return unroll(LoopLayout(body_, longest(runs_), exact_, lives_.period(growing)), runs_, lives_, growing);
  }

  // Returns the variant, with the growing buffers that are handed on where they take fewest bytes.
  [[nodiscard]] Variant best() const {
    Variant variant = unrolled(Growing::kInSlab);
    GrowingBuffers growing = lives_.growing_buffers();
    if (growing.handed_on != 0) {
      Variant on_heap = unrolled(Growing::kOnHeap);
      growing.slab = peak_planned(variant) - peak_planned(on_heap);
      if (growing.home() == Growing::kInPools) variant = unrolled(Growing::kInPools);
      if (growing.home() == Growing::kOnHeap) variant = std::move(on_heap);
    }
    variant.loops.front().growing = growing;
    return variant;
  }

  const Numbered& body_;
  const std::vector<Run>& runs_;
  std::size_t exact_;
  LoopLives lives_;
  Variant variant_;
};

// Returns the variant that looks back as far as pays. Returns nothing where no iteration equals the body exactly, since the operators
// are taken from such an iteration.
std::optional<Variant> variant_of(const Numbered& body, const std::vector<Run>& runs) {
  const std::optional<std::size_t> exact = exact_iteration(longest(runs), body);
  if (!exact) return std::nullopt;
  const Unrolling shallow(body, runs, *exact, kMostIterationsAlive);
  Variant best = shallow.variant();
  std::optional<Bytes> least = shallow.cost();
  for (const std::uint32_t deepest : shallow.lives().deeper()) {
    const Unrolling deep(body, runs, *exact, deepest);
    const std::optional<Bytes> cost = deep.cost();
    if (!cost || (least && *cost >= *least)) continue;
    best = deep.variant();
    least = cost;
  }
  return best;
}

using Groups = std::map<std::uint64_t, std::vector<Run>>;

// Moves the runs to a group that they are of where a few steps behind their loop count as the last iteration's. What only some
// iterations do, such as making a list longer, comes behind the last one as well.
void join_another(Groups& groups, std::uint64_t frame, const Numbered& body, LoopContexts& contexts,
                  bool with_sizes) {
  std::vector<Run>& runs = groups[frame];
  std::erase_if(runs, [&](const Run& run) {
    for (std::uint32_t steps = 1; steps <= kMostStepsOfBehind; ++steps) {
      std::optional<Run> longer = run_of(*run.member, body, contexts, {.steps_of_behind = steps});
      if (!longer) continue;
      const auto other = groups.find(frame_of(*longer, with_sizes));
      if (other == groups.end() || other->first == frame) continue;
      other->second.push_back(std::move(*longer));
      return true;
    }
    return false;
  });
}

Groups groups_of(const Kind& kind, const Numbered& body, LoopContexts& contexts, bool with_sizes) {
  Groups groups;
  for (const Member* member : kind)
    if (std::optional<Run> run = run_of(*member, body, contexts))
      groups[frame_of(*run, with_sizes)].push_back(std::move(*run));
  for (auto& [frame, runs] : groups)
    if (!differ_in_iterations(runs)) join_another(groups, frame, body, contexts, with_sizes);
  return groups;
}

// Returns the first iteration that most runs have alike and that is none of the loop's other iterations, as where a cache is still
// empty. Returns nothing where there is none.
std::optional<std::uint64_t> own_first_iteration(const std::vector<Run>& runs, const Numbered& body) {
  std::map<std::uint64_t, std::size_t> prints;
  for (const Run& run : runs)
    if (run.iterations() > 1 && !equals_body(run, 0, body)) ++prints[print_of_first_iteration(run)];
  const auto most = std::ranges::max_element(prints, {}, [](const auto& print) { return print.second; });
  if (most == prints.end() || 2 * most->second <= runs.size()) return std::nullopt;
  return most->first;
}

// Returns the run with its first iteration counted as what comes before the loop.
std::optional<Run> begun_at_second(const Run& run, const Numbered& body, LoopContexts& contexts) {
  LoopBounds bounds = run.bounds;
  bounds.leaves_first_before = true;
  return run_of(*run.member, body, contexts, bounds);
}

// Parts the runs that have such a first iteration from the others. It is laid out as what comes before the loop: what it leaves
// in its places lives through the loop, where no other iteration's does.
std::vector<std::vector<Run>> parted_by_first_iteration(std::vector<Run> runs, const Numbered& body,
                                                        LoopContexts& contexts) {
  const std::optional<std::uint64_t> own = own_first_iteration(runs, body);
  if (!own) return {std::move(runs)};
  std::vector<Run> begun_later;
  std::vector<Run> others;
  for (Run& run : runs) {
    std::optional<Run> later;
    if (print_of_first_iteration(run) == *own) later = begun_at_second(run, body, contexts);
    later ? begun_later.push_back(std::move(*later)) : others.push_back(std::move(run));
  }
  return {std::move(begun_later), std::move(others)};
}

void fold(const Kind& kind, Frames frames, std::vector<Variant>& variants, std::set<const Member*>& folded) {
  LoopContexts contexts;
  const std::vector<Nested> sequences = sequences_of(kind, contexts);
  if (sequences.size() < 2) return;
  const std::optional<Body> found = find_body(sequences);
  if (!found) return;
  const Body early = as_most_iterations_are(*found, sequences);
  Numbered body(begun_late(early, sequences), contexts);
  if (!run_of(*kind.back(), body, contexts))
    body = Numbered(early, contexts);  // it would end within an operator
  if (body.allocations == 0) return;
  for (auto& [frame, group] : groups_of(kind, body, contexts, frames == Frames::kOfEqualSizes)) {
    for (const std::vector<Run>& runs : parted_by_first_iteration(std::move(group), body, contexts)) {
      if (!differ_in_iterations(runs)) continue;
      std::optional<Variant> variant = variant_of(body, runs);
      if (!variant) continue;
      variants.push_back(std::move(*variant));
      for (const Run& run : runs) folded.insert(run.member);
    }
  }
}

}  // namespace

std::vector<Variant> fold_loops(std::vector<Member>& members, Frames frames) {
  std::vector<Variant> variants;
  std::set<const Member*> folded;
  for (const Kind& kind : kinds_of(members)) fold(kind, frames, variants, folded);
  std::vector<Member> rest;
  for (const Member& member : members)
    if (!folded.contains(&member)) rest.push_back(member);
  members = std::move(rest);
  return variants;
}

}  // namespace memo::planner
