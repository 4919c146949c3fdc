// Does a thread's work between two passes in mode serve.
#pragma once

#include <cstdint>

#include "preload/route/route.h"

namespace memo::guest {

// Returns the route of a thread outside of passes: the plain heap, unless passes begin at allocations.
[[nodiscard]] Route route_outside();

// Gives back memory that has lain idle for long, or that was asked for from outside. Costs a clock reading.
void release_what_is_due();

// Does that, and brings the statistics up to date, where they may be read while the program runs.
void report_between_passes();

// Looks for another plan on a thread that allocates outside of passes, and lets the thread await passes if the plan in force
// wants that. Where no pass ever begins, no other code would. To be called rarely: costs a clock reading.
void look_where_no_pass_begins();

// Does the same on a thread that awaits a pass, after so many allocations that opened none. Reports that the plan serves nothing
// where no pass ever begins: no other code would. Costs a clock reading, and a stat twice a second.
void look_while_awaiting(std::uint32_t calls);

// Says once that the plan serves nothing, since nothing in the program opens a pass of it.
void say_that_no_pass_began();

}  // namespace memo::guest
