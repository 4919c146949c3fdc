// What a mode does with the calls that are routed to it. One table of functions for each mode;
// start_process() in preload/start/start.cpp picks one when the process starts and it never changes. A missing
// entry means the plain heap.
#pragma once

#include "preload/route/route.h"

struct memo_allocation;

namespace memo::guest {

struct Backend {
  // Where a thread's calls go from its first one on; where it depends, the function says.
  Route first_route;
  Route (*find_first_route)();

  // Called once, before any call is routed here, with jemalloc and the options ready and this thread's own
  // allocations served by the start-up pool. False: it has said why in one line, and the process runs in mode
  // off.
  bool (*start)();

  // Called once from the library's constructor: the objects the program was linked with are all in place.
  void (*loaded)();

  // `size` may be 0; `alignment` is a power of two. Null means out of memory, with errno set.
  void* (*allocate)(std::size_t size, std::size_t alignment, AllocationKind kind, CallSite site);
  // `old` is never null; `size` is never 0.
  void* (*reallocate)(void* old, std::size_t size, CallSite site);
  // `pointer` may be anything the watched range covers, jemalloc's memory too; never null, and errno is kept.
  void (*release)(void* pointer, CallSite site);
  std::size_t (*usable_size)(const void* pointer);

  // Around fork(), in the thread that calls it; before_fork runs before jemalloc takes its locks.
  void (*before_fork)();
  void (*after_fork_in_parent)();

  // In a copy of the process, whatever made it (runtime/serving/copies.h): once, in any thread; then in the thread that was copied,
  // when it is seen.
  void (*begin_as_copy)();
  void (*keep_own_in_copy)();

  // Fills in *out for the live block that holds the byte at `inside`; false where there is none.
  bool (*identify)(const void* inside, memo_allocation* out);

  // The process ends through exit(); the program goes on allocating and freeing afterwards.
  void (*finish)();
};

// The two questions that whoever starts the process answers (preload/start/start.cpp).

// Returns the backend in force: that of mode off until the process has started.
const Backend& backend();

// Gives the calling thread its route; the first call of all starts the process: jemalloc, the options, the mode. That call is
// the loader's own, long before any constructor. Returns false only inside start-up itself, where the start-up pool serves.
bool settle_thread();

}  // namespace memo::guest
