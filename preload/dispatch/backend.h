// The backend of a mode: a table of functions for the calls that are routed to the mode. start_process() in
// preload/start/start.cpp picks one backend when the process starts, and the choice never changes. A missing
// entry means the plain heap.
#pragma once

#include "preload/route/route.h"

struct memo_allocation;

namespace memo::runtime {
struct Boundary;
}

namespace memo::guest {

struct BoundaryName;

struct Backend {
  // The route of a thread from its first call on. find_first_route, where it is not null, decides instead.
  Route first_route;
  Route (*find_first_route)();

  // Called once, before jemalloc starts and after the options were read.
  void (*before_heap)();

  // Starts the mode. Called once, before any call is routed here: jemalloc and the options are ready, and the
  // start-up memory serves this thread's own allocations. Returns false where the mode cannot start; it has
  // then said why in one line, and the process runs in mode off.
  bool (*start)();

  // Called once from the library's constructor, when all objects that the program was linked with are in
  // place.
  void (*loaded)();

  // Allocates. `size` may be 0; `alignment` is a power of two. Returns null when memory has run out, with
  // errno set.
  void* (*allocate)(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);
  // Opens or ends what the boundary says, then allocates. Called on a thread in a pass, or one that awaits a pass; the
  // next function too, once in so many allocations of the thread. Both are there in every mode with such threads.
  void* (*allocate_at_boundary)(runtime::Boundary boundary, std::size_t size, std::size_t alignment,
                                AllocationKind kind, CallSite site);
  void (*look_while_awaiting)(std::uint32_t calls);
  // Reallocates. `old` is never null; `size` is never 0.
  void* (*reallocate)(void* old, std::size_t size, CallSite site);
  // Releases. `pointer` is never null, and may be anything that the watched range covers, jemalloc's memory
  // too. Keeps errno.
  void (*release)(void* pointer, CallSite site);
  std::size_t (*usable_size)(const void* pointer);

  // Run around fork(), on the thread that calls it; before_fork runs before jemalloc takes its locks.
  void (*before_fork)();
  void (*after_fork_in_parent)();

  // Run in a copy of the process, whatever made it (runtime/serving/copies.h). begin_as_copy runs once, on
  // any thread; keep_own_in_copy then runs on the thread that was copied, when the library first sees that
  // thread.
  void (*begin_as_copy)();
  void (*keep_own_in_copy)();

  // Fills in *out for the live block that holds the byte at `inside`. Returns false where there is no such
  // block.
  bool (*identify)(const void* inside, memo_allocation* out);

  // Notes which blocks an operator read and wrote (memo_data_flow). Null where nothing is recorded.
  void (*note_data_flow)(const BoundaryName& operation, const void* const* blocks, std::size_t reads,
                         std::size_t writes);

  // Called when the process ends through exit(); the program goes on allocating and freeing afterwards.
  void (*finish)();
};

// preload/start/start.cpp, which starts the process, defines the following two functions.

// Returns the backend in force, which is the backend of mode off until the process has started.
const Backend& backend();

// Gives the calling thread its route. The first call in the process also starts it: jemalloc, the options,
// the mode. The loader itself causes that call, long before any constructor runs. Returns false only inside
// start-up, where the start-up memory serves.
bool settle_thread();

}  // namespace memo::guest
