// Unhooks operators while no pass needs a lead from them.
#pragma once

namespace memo::guest {

// Takes note of a pass that ends, and of whether it heard of operators. Costs a few instructions, except where the hooks change.
void note_lead_of_pass(bool heard_operators);

// Hooks operators at once, for a recording: a trace needs them.
void have_operators_hooked();

}  // namespace memo::guest
