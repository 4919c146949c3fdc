// The symbol-hook engine. Calls between loaded objects go through slots (the global offset table). The engine
// makes the slots of hooked symbols point at a thunk, which reports the call and jumps on to the function.
#pragma once

namespace memo::guest {

// Switches the hooks on. The library then looks for hooked symbols in everything that is loaded, in its
// constructor and after every dlopen. For modes with a sink.
void start_hooks();

// Patches the slots that the loader has filled in since the last call. Call this whenever the loader may have
// loaded something; it is cheap where the loader has not.
void hook_new_objects();

// Puts the thunks of operators into their slots, or takes them out. Costs a walk over the slots of everything that is loaded, some ten
// milliseconds.
void hook_operators(bool hooked);

}  // namespace memo::guest
