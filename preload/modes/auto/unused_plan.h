// Finds that a plan is of no use to this program: it is of another one, or of what this one no longer does. Such a plan does
// not keep the program from being learned.
//
//   passes begin at allocations     none has begun in 2^24 of them, or in 2^20 where a binary of the plan is not loaded
//   passes are marked               none has begun while the program allocated a gigabyte, and ten seconds long
#pragma once

namespace memo::guest {

// Takes note of a thread's occasion to look (preload/heap/occasions.h).
void note_occasion();

// Returns true while no pass of the plan in force has begun, and one would have.
[[nodiscard]] bool plan_is_unused();

}  // namespace memo::guest
