// Has the heap beside the slab give back what lies idle in it, where that is due: once when the first plan begins to serve, and when
// passes were compared on the heap and are served from now on; when no pass has run for a while (runtime/serving/idle_lanes.h); and
// when it is asked to. At all other times the heap decides by itself, as it does in mode off: by how long pages lay idle, whatever
// passes do.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Sets the hook that makes the heap give back its idle memory and returns how many bytes it gave back.
void set_idle_heap_hook(std::uint64_t (*hook)());

// Makes the heap give back its idle memory now. Returns how many bytes that were.
std::uint64_t give_back_idle_heap();

// Does the same, and counts it, before the next pass that runs on a lane, if that was asked for: what passes and loading left in the
// heap would lie beside its slab. Costs a load where no release was asked for.
void give_back_before_next_pass();
void give_back_if_asked();

}  // namespace memo::runtime
