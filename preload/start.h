// Once for each process: jemalloc, the options, the mode. Runs at the first call of any exported function,
// which is the loader's own, long before any constructor; the library's constructor only makes sure of it.
#pragma once

namespace memo::guest {

// Gives the calling thread its route. False only inside start-up itself, where the start-up pool serves.
bool settle_thread();

}  // namespace memo::guest
