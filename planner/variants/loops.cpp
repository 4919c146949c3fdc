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

namespace memo::planner {
namespace {

constexpr std::size_t kMostSequences = 16;  // sequences searched for a body
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

bool differ_in_iterations(const std::vector<Run>& runs) {
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

// Returns the variant, with the growing buffers that are handed on where they take fewest bytes. Returns nothing where no iteration equals the body exactly, since the operators are taken from
// such an iteration.
std::optional<Variant> variant_of(const Numbered& body, const std::vector<Run>& runs) {
  const Run& reference = longest(runs);
  const std::optional<std::size_t> exact = exact_iteration(reference, body);
  if (!exact) return std::nullopt;
  const LoopLives lives(body, runs);
  const auto unrolled = [&](Growing growing) {
    return unroll(LoopLayout(body, reference, *exact, lives.period(growing)), runs, lives, growing);
  };
  Variant variant = unrolled(Growing::kInSlab);
  GrowingBuffers growing = lives.growing_buffers();
  if (growing.handed_on != 0) {
    Variant on_heap = unrolled(Growing::kOnHeap);
    growing.slab = peak_planned(variant) - peak_planned(on_heap);
    if (growing.home() == Growing::kInPools) variant = unrolled(Growing::kInPools);
    if (growing.home() == Growing::kOnHeap) variant = std::move(on_heap);
  }
  variant.loops.front().growing = growing;
  return variant;
}

using Groups = std::map<std::uint64_t, std::vector<Run>>;

Groups groups_of(const Kind& kind, const Numbered& body, LoopContexts& contexts, bool with_sizes) {
  Groups groups;
  for (const Member* member : kind)
    if (std::optional<Run> run = run_of(*member, body, contexts))
      groups[frame_of(*run, with_sizes)].push_back(std::move(*run));
  return groups;
}

void fold(const Kind& kind, Frames frames, std::vector<Variant>& variants, std::set<const Member*>& folded) {
  LoopContexts contexts;
  const std::vector<Nested> sequences = sequences_of(kind, contexts);
  if (sequences.size() < 2) return;
  const std::optional<Body> found = find_body(sequences);
  if (!found) return;
  const Numbered body(as_most_iterations_are(*found, sequences), contexts);
  if (body.allocations == 0) return;
  for (const auto& [frame, runs] : groups_of(kind, body, contexts, frames == Frames::kOfEqualSizes)) {
    if (!differ_in_iterations(runs)) continue;
    std::optional<Variant> variant = variant_of(body, runs);
    if (!variant) continue;
    variants.push_back(std::move(*variant));
    for (const Run& run : runs) folded.insert(run.member);
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
