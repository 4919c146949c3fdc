// Gives back the memory of lanes that no pass needs any more, by the policy of runtime/slab/lane_release_policy.h.
//
// No pass is charged for the pages that it touches again afterwards: the heap alone gives back what lies idle for so long, too.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Sets for how long a lane is kept warm that no pass needs; 0, the default: for ever. A lane gives back its pages then, and
// the heap what lies idle in it once no pass has run for so long.
void set_idle_release(std::int64_t nanoseconds);

// Gives back the memory that has lain idle for so long, if it is time to look; `now` is coarse_nanoseconds_now(). To be called
// between passes, and by threads that run none. Costs two loads, and a look at all lanes eight times in the wait.
void release_what_is_idle(std::int64_t now);

// Gives back the pages of all lanes on which no pass runs, and what lies idle in the heap. Returns how many bytes of memory
// that were. Waits while another thread changes the plans.
std::uint64_t release_memory();

}  // namespace memo::runtime
