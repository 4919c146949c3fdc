// The symbol-hook engine: calls between the loaded objects go through slots (the global offset table); those of
// symbols that somebody wants to know about are made to point at a thunk, which reports and jumps on.
#pragma once

namespace memo::guest {

// Looks for hooked symbols in everything that is loaded now, and after every dlopen. For modes with a sink.
void start_hooks();

// Patches the slots that the loader has filled in since the last time. To be called whenever something may have been loaded;
// cheap where nothing was.
void hook_new_objects();

}  // namespace memo::guest
