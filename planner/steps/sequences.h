// Passes as sequences of what matters for their structure: an operator begins, or allocates.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/period/repeats.h"
#include "planner/steps/member.h"
#include "planner/steps/variants.h"

namespace memo::planner {

struct StepContext {
  bool is_scope = false;
  std::string scope;  // the operator that begins, or that allocates
  PlanSite site;
  friend auto operator<=>(const StepContext&, const StepContext&) = default;
};

class StepContexts {
 public:
  ContextId add(const StepContext& context) {
    const auto [at, fresh] = ids_.try_emplace(context, static_cast<ContextId>(is_scope_.size()));
    if (fresh) is_scope_.push_back(context.is_scope);
    return at->second;
  }
  [[nodiscard]] bool is_scope(ContextId id) const { return is_scope_[id]; }

 private:
  std::map<StepContext, ContextId> ids_;
  std::vector<bool> is_scope_;
};

[[nodiscard]] Nested sequence_of(const Member& member, StepContexts& contexts);

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

}  // namespace memo::planner
