// Room for large blocks that come in an order that no recorded pass had, where passes were seen in many orders.
//
//   lane      | slots of all variants, as solved  |      64 KiB       |       the arena lends the smallest of these places that is
//             |                                   |  32    |    32    |       free and large enough (runtime/pass/gaps.h)
//             |                                   | 16 | 16 | 16 | 16 |
//
// The places belong to slots behind the last one of a variant, which no pass reaches. Each lies in one that is twice as large, so that
// the reserve holds a few large blocks or many small ones. It is as large as the largest block: any of them finds room.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/steps/member.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// Marks the variants of each name and key whose passes had their large blocks in three orders or more. Where workers do a part of
// the passes, also those of which some passes do a part of what others do: workers and passes then share the work as it comes.
// Takes the passes that they were made from, and those that they left out.
void note_orders(std::span<const Member> members, std::vector<Variant>& variants);

// Adds a reserve to the marked variants, whose large slots have their places. Variants that share a table of places share it.
void add_reserves(std::span<const Variant> variants, PlanDescription& plan);

// Returns the bytes of the reserve that begins behind so many slots of a variant; 0 where it has none.
[[nodiscard]] Bytes reserve_behind(std::size_t slots, const PlanVariantDescription& variant);

}  // namespace memo::planner
