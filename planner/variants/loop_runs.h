// Passes as sequences, and one pass cut into the iterations of a loop.
//
//   pass   p p | a b c | a b x c | a b c | s          before the loop, iterations 0 to 2, after the loop
//                              ^ stray: the body has no such allocation
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/period/repeats.h"
#include "planner/variants/member.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// An event of a pass that matters for its loops: an operator begins, or an operator allocates.
struct LoopContext {
  bool is_scope = false;
  std::string scope;  // the operator that begins, or that allocates
  PlanSite site;
  friend auto operator<=>(const LoopContext&, const LoopContext&) = default;
};

class LoopContexts {
 public:
  ContextId add(const LoopContext& context) {
    const auto [at, fresh] = ids_.try_emplace(context, static_cast<ContextId>(is_scope_.size()));
    if (fresh) is_scope_.push_back(context.is_scope);
    return at->second;
  }
  [[nodiscard]] bool is_scope(ContextId id) const { return is_scope_[id]; }

 private:
  std::map<LoopContext, ContextId> ids_;
  std::vector<bool> is_scope_;
};

[[nodiscard]] Nested sequence_of(const Member& member, LoopContexts& contexts);

// The place of an allocation, or of the allocation before which a block is freed: before the loop, in
// `iteration`, or after the loop (kBehind).
struct Location {
  static constexpr std::size_t kBehind = SIZE_MAX;
  bool before = false;
  std::size_t iteration = 0;
  std::uint32_t place = 0;  // among the allocations of its part

  [[nodiscard]] bool in_loop() const { return !before && iteration != kBehind; }
};

// The body, with separate numbers for its scopes and its allocations.
struct Numbered {
  Body body;
  // Place in the body → allocations before it; one more for the end.
  std::vector<std::uint32_t> allocations_before;
  std::uint32_t allocations = 0;
  std::uint32_t scopes = 0;

  Numbered(Body contexts_of_body, const LoopContexts& contexts);
};

// Where the loop of a pass begins and ends, if not where its iterations do.
struct LoopBounds {
  bool leaves_first_before = false;   // the first iteration counts as what comes before the loop
  std::uint32_t steps_of_behind = 0;  // so many of the steps behind the loop count as the last iteration's
};

// A pass, cut into its iterations.
struct Run {
  const Member* member = nullptr;
  LoopBounds bounds;
  Nested sequence;
  Repeats repeats;
  std::vector<Location> locations;  // of each allocation of the pass, and of its end
  std::vector<bool> stray;          // allocations that the body does not have
  // Scopes that began before each iteration, and before the part after the loop.
  std::vector<std::uint32_t> scopes;
  std::vector<std::uint32_t> made;  // likewise, the allocations made before

  [[nodiscard]] std::size_t iterations() const { return repeats.count(); }
  [[nodiscard]] const Pass& pass() const { return *member->pass; }
  [[nodiscard]] std::uint32_t made_behind() const {
    return static_cast<std::uint32_t>(pass().allocations.size()) - made.back();
  }
  // Returns before which allocation a position of the pass lies.
  [[nodiscard]] const Location& location(Time position) const {
    return locations[static_cast<std::size_t>(allocations_before(pass(), position))];
  }
};

// Returns true if the block outlives its pass.
inline bool escapes(const Allocation& made) {
  return made.escapes || !made.freed;
}

// Returns true if the block outlives its pass, be it an answer or not. An answer may be the last block that a loop hands on, which
// says nothing of the others.
inline bool outlives_its_pass(const Allocation& made) {
  return escapes(made) || made.is_answer;
}

// Makes the demand large enough for the block too.
inline void enlarge(Demand& demand, const Allocation& made) {
  const Bytes size = std::max<Bytes>(made.size, 1);
  const Bytes least = demand.size == 0 ? size : std::min(demand.size - demand.spread, size);
  demand.size = std::max(demand.size, size);
  demand.spread = demand.size - least;
  demand.alignment = std::max(demand.alignment, made.alignment);
}

// Returns where the block is freed. The begin of a part counts as the end of the part before.
[[nodiscard]] Location end_of(const Run& run, const Allocation& made, const Numbered& body);

// Returns the pass, cut into iterations of the body. Returns nothing for a pass without iterations, or one whose
// loop ends within an operator.
[[nodiscard]] std::optional<Run> run_of(const Member& member, const Numbered& body, LoopContexts& contexts,
                                        LoopBounds bounds = {});

// Returns equal values for runs that are alike before and after the loop. Sizes after the loop do not count:
// what happens there may work on all that the loop has gathered. Nor do those before it, if so asked.
[[nodiscard]] std::uint64_t frame_of(const Run& run, bool with_sizes = true);

// Returns true if the iteration has each step of the body, and no other.
[[nodiscard]] bool equals_body(const Run& run, std::size_t iteration, const Numbered& body);

// Returns equal values for first iterations with the same steps.
[[nodiscard]] std::uint64_t print_of_first_iteration(const Run& run);

// Returns the index of an iteration that equals the body exactly.
[[nodiscard]] std::optional<std::size_t> exact_iteration(const Run& run, const Numbered& body);

}  // namespace memo::planner
