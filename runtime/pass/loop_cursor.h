// Loops of a variant: a pass goes through their slots as often as it likes.
//
//   slots:   | before | 0: a b c | 1: a b c | behind |        at the end of 1 the program asks for a: back to 0
//                               ^                              at the end of 0 it asks for what is behind: there
//                             cursor
//
// From one iteration to the next the cursor simply walks on; it is led once for each time round, when the expected slot or
// operator is not the one asked for. Names of operators count their instances from the place to which it is led, so what an
// iteration skipped or repeated is forgotten when the next begins; and within one, the operator that is expected next is
// taken for the one meant, whatever was skipped before it. A wrong guess costs places, and heals when an operator comes that
// the part guessed at does not have.
#pragma once

#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

// The slot that the pass has come to with an allocation at `site`, where it stands between two iterations, before slot
// `at`, and that slot is not the one; or kNone.
[[nodiscard]] std::uint32_t turn_to_slot(Lane& lane, const Variant& variant, std::uint32_t at,
                                         std::uint64_t site);

// The instance that the pass has come to with the begin of an operator of that name; `scope` is the next one in the order
// of the plan, or kNone.
[[nodiscard]] std::uint32_t turn_to_scope(Lane& lane, const Variant& variant, std::uint32_t name,
                                          std::uint32_t scope);

// The loop in which a pass may stand that is before slot `at`; nullptr: none.
[[nodiscard]] const PlanLoop* loop_around_slot(const Variant& variant, std::uint32_t at);

// Behind the last slot of the variant the pass may go on.
[[nodiscard]] bool ends_in_a_loop(const Variant& variant);

}  // namespace memo::runtime
