// Loops of a variant: a pass goes through their slots as often as it likes.
//
//   slots:   | before | 0: a b c | 1: a b c | behind |        at the end of 1 the program asks for a: back to 0
//                               ^                              at the end of 0 it asks for what follows: there
//                             cursor
//
// A loop in a loop ends where an iteration of the outer one goes on: with what follows, with the outer loop's next
// iteration, or with what follows both. Nothing is counted: how often a loop ran is known from what the program asks for.
//
// From one iteration to the next the cursor simply walks on. Once for each time round, when the program asks
// for another slot or operator than the expected one, these functions move it. Names of operators count their
// instances from the place to which the cursor was moved, so that the next iteration forgets what this one
// skipped or repeated. Within an iteration, an operator that has the name expected next is taken for the
// expected one, whatever the pass skipped before it. A wrong guess costs slots, and heals at the next operator
// whose name the guessed part does not have.
#pragma once

#include <cstdint>

#include "runtime/slab/lane.h"

namespace memo::runtime {

// Returns the slot that an allocation at `site` leads to. The pass stands before slot `at`: between two iterations, near the
// end of one, or before a loop that it leaves out. Returns kNone if there is no such slot, or if a slot that is left of the
// iteration is meant for that site.
[[nodiscard]] std::uint32_t iterate_to_slot(Lane& lane, const Variant& variant, std::uint32_t at,
                                            std::uint64_t site);

// Returns the scope (the instance of an operator) that a begin of this name leads to, where the pass stands before `slot`.
// `scope` is the next one of this name in the order of the plan, or kNone.
[[nodiscard]] std::uint32_t iterate_to_scope(Lane& lane, const Variant& variant, std::uint32_t slot,
                                             std::uint32_t name, std::uint32_t scope);

// Returns true if a pass that stands before slot `from` and goes on at `to` begins another iteration there, or leaves the loop.
[[nodiscard]] bool follows_loop(const Variant& variant, std::uint32_t from, std::uint32_t to);

// Returns the number of the innermost loop in which a pass before slot `at` may stand, at its end included; the outermost
// of those that begin there. Returns kNone if there is none.
[[nodiscard]] std::uint32_t loop_around_slot(const Variant& variant, std::uint32_t at);

// Returns true if the variant ends with a loop, so that a pass may go on after the last slot.
[[nodiscard]] bool ends_in_a_loop(const Variant& variant);

}  // namespace memo::runtime
