// Gives back the pages of the heap that lay idle for jemalloc's decay time (docs/heap.md).
#pragma once

namespace memo::guest::heap {

// Has jemalloc look at the idle pages of all arenas, at most once a second: by itself it looks at those of the arenas alone that
// threads take pages from or give them to. For a thread that is inside the heap and holds no lock of it.
void look_at_idle_pages_if_due();

}  // namespace memo::guest::heap
