// Serve mode: passes are served from the arena (runtime/), everything else from the heap.
#pragma once

#include "preload/backend.h"

namespace memo::guest {

extern const Backend kServeBackend;

// Serves from this plan from the next pass on. False: it cannot be used.
bool load_plan(const char* path);

}  // namespace memo::guest
