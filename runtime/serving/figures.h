// The figures of the lanes and of the plan that serves.
#pragma once

#include <cstdint>

#include "runtime/formats/live_page.h"

namespace memo::runtime {

// Fills in what the gauges say of the lanes and of the plan that serves, and sets all others to 0.
void look_at_serving(LiveGauges* gauges);

// Does the same, but for the pinned blocks, which it leaves at 0. Returns false, and changes nothing, where another thread changes
// the plans at this moment.
[[nodiscard]] bool look_at_serving_without_waiting(LiveGauges* gauges);

// Returns the number of passes of each kind that the warm-up takes; 0 without a plan.
[[nodiscard]] std::uint64_t passes_of_warm_up();

// Returns true if a plan is in force and its warm-up ended before the pass of this number.
[[nodiscard]] bool is_past_warm_up(std::uint64_t pass_number);

}  // namespace memo::runtime
