// Where a pass of one variant stands in another one: behind the begin of the same operator, by name and by how many of the name came
// before, as many slots on. Variants may differ before that operator, in what a JIT compiled, in the iterations of a loop, in whole
// operators, so that slots of the same number have nothing to do with each other. The operator before it must be the same, too, since
// some occur in every network.
#pragma once

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

struct Position {
  std::uint32_t slot;
  std::uint32_t next_scope;  // those before it have begun
};

// Returns the instance in `other` of an operator of the variant; kNone where there are fewer, or no operator.
[[nodiscard]] std::uint32_t same_scope_in(const Variant& other, const Variant& variant, std::uint32_t scope);

// Returns the position in `other`; that of the same numbers before the first operator and where one of the variants has none. Its slot is
// kNone where `other` has no such position. Costs a binary search among the names of `other`.
[[nodiscard]] Position counterpart_in(const Variant& other, const Variant& variant, const Position& position);

}  // namespace memo::runtime
