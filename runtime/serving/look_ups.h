// The call sites of the plan in force, looked up again when the program loads or unloads libraries.
#pragma once

namespace memo::runtime {

// Looks up the call sites again, after dlopen and dlclose. Costs a look at the loader's counters where nothing
// has changed.
void modules_changed();

// Returns true if a binary of the plan in force was not loaded when its call sites were looked up. Asks no plan, since
// only a claimed lane keeps one from being discarded.
[[nodiscard]] bool modules_are_missing();

// Forgets, in a copy of the process, the look-ups of sites and the growth that other threads had begun, so that they are
// done again.
void forget_look_ups();

}  // namespace memo::runtime
