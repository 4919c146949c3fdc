// Moves a pass to another place of its plan where the request shows that it is there: to the next or the first
// iteration of a loop, past a loop, or to another variant at the same operator.
#pragma once

#include "runtime/pass/taking.h"

namespace memo::runtime {

// Moves a pass that stands between two iterations to another iteration of the loop, or past the loop. Returns
// false if neither fits the request.
[[nodiscard]] bool iterate(Search& search);

// Changes to another variant whose slot at the counterpart of this position is the one asked for: the pass has another shape
// than it seemed to have. `expected` says that the present slot is for this call site, too. Only possible while no large
// slot is live, or where the variants share a table of places: all variants of a plan share the cells, but not the large places.
[[nodiscard]] bool change_variant(Search& search, bool expected);

// Notes that an iteration began as planned. After a few of them the pass needs no lead, whatever it did before the loop.
// Costs a few instructions, and touches no vector register: operators begin iterations, too.
inline void note_iteration(ThreadState& self, Lane& lane) {
  if (self.ignores_operators || !lane.variant.load(std::memory_order_relaxed)->sites_tell_iterations) return;
  lane.iterations_as_planned.note_as_planned();
  if (lane.iterations_as_planned.needs_no_lead()) self.ignores_operators = lane.progress.let_go = true;
}

// Lets operators lead a pass again that has ignored them: those before the present slot count as run.
void hear_operators(Search& search);

// Notes that the expected slot is too small for the request, so that the plan may grow. Requests that only share its
// site prove nothing about the shape.
void note_growth(Search& search);

}  // namespace memo::runtime
