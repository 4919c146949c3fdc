// The symbol-hook engine: calls between the loaded objects go through slots (the global offset table); those of
// symbols that somebody wants to know about are made to point at a thunk, which reports and jumps on.
#pragma once

namespace memo::guest {

// Patches the slots of objects that were not looked at yet. Cheap where nothing was loaded since the last time.
void hook_new_objects();

}  // namespace memo::guest
