// Serve mode: passes are served from the arena (runtime/), everything else from the heap.
#pragma once

#include <cstddef>

#include "preload/boundaries/boundary.h"
#include "preload/dispatch/backend.h"

namespace memo::guest {

extern const Backend kServeBackend;
extern const BoundarySink kServeSink;

// Serves from this plan, beginning with the next pass. Returns false if the plan cannot be used.
bool load_plan(const char* path);

// Gives back what is idle: lanes on which no pass runs, where there are some, and the heap's pages. Returns how many bytes of
// memory that were.
std::size_t release_memory();

}  // namespace memo::guest
