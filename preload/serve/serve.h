// Serve mode: passes are served from the arena (runtime/), everything else from the heap.
#pragma once

#include "preload/backend.h"

namespace memo::guest {

extern const Backend kServeBackend;

}  // namespace memo::guest
