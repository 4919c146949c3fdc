// Checks whether there is room for the recorder beside the program, which must not run out of memory because of
// it. The recorder and the arena need:
//
//   address space   32 MiB for the table's roots, as much for its leaves as the heap has,
//                   a quarter of the limit for slabs
//   memory          at most 16 bytes for each 16 bytes of the heap that hold blocks,
//                   a ring of 64 MiB in the page cache
//
// Where a limit cannot be read, the library assumes that there is room.
#pragma once

namespace memo::guest {

// Returns true if there is enough address space to learn. Returns false, and logs one line, if the library may
// map nothing beside the heap.
[[nodiscard]] bool has_addresses_to_learn();

// Returns true if there is enough memory to record. Returns false, and logs one line, if not; a plan may still
// serve.
[[nodiscard]] bool has_memory_to_learn();

// Returns true if the present recording must end. One thread checks, at most once a second; the others get
// false.
[[nodiscard]] bool memory_runs_short();

}  // namespace memo::guest
