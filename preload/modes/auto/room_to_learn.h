// Whether there is room for the recorder beside the program: what it takes must not be what the program runs out of.
//
//   address space   32 MiB of roots, as much again as the heap has for its table, a quarter of the limit for slabs
//   memory          16 bytes for each 16 bytes of the heap that hold blocks, at the most; a ring of 64 MiB in the page cache
//
// In doubt there is none.
#pragma once

namespace memo::guest {

// False, and one line was said: nothing of this library's may be mapped beside the heap.
[[nodiscard]] bool has_addresses_to_learn();

// False, and one line was said: nothing may be recorded, but a plan that is there may serve.
[[nodiscard]] bool has_memory_to_learn();

// Returns true if a recording that runs has to end. Looks once a second at most, for one thread; false for the others.
[[nodiscard]] bool memory_runs_short();

}  // namespace memo::guest
