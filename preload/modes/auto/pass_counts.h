// Reads from the statistics of mode serve what the plans are worth so far: the counts that the schedule
// judges.
#pragma once

#include <cstdint>

#include "preload/modes/auto/schedule.h"

namespace memo::guest {

[[nodiscard]] bool has_plan();

// Returns false in a dry run, in which no plan ever serves.
[[nodiscard]] bool awaits_plan();

// Returns how many plans this process has taken up.
[[nodiscard]] std::uint64_t plans_taken_up();

// Returns how many passes have begun while the process served.
[[nodiscard]] std::uint64_t passes_served();

[[nodiscard]] PassCounts count_passes();

}  // namespace memo::guest
