// The stack of the calling thread, as far as its shadow stack knows it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

// Returns false where the thread is known to run on a stack that is not its own, so that its scopes do not
// apply.
bool on_own_stack(std::uintptr_t stack);

// Returns true if the thread's own stack is known to reach so many bytes below this stack pointer.
bool has_room_below(std::uintptr_t stack, std::size_t bytes);

// Keeps the shadow stack of the calling thread in a copy of its process. The thread has a new name there; the
// other threads do not exist in the copy.
void keep_own_shadow_in_copy();

}  // namespace memo::guest
