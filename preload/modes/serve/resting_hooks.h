// Lets the hooks of operators rest while no pass needs them.
#pragma once

namespace memo::guest {

// Takes note of a pass that ends, and of whether it heard of operators. Costs a few instructions but where the hooks change.
void note_lead_of_pass(bool heard_operators);

// Sets the hooks again at once, for a recording: a trace needs the operators.
void have_operators_hooked();

}  // namespace memo::guest
