// Adds up what the passes of a trace leave alive, by the binary that asked for it, and tells whether that
// grows.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::doctor {

// The blocks of one binary that are alive at the end of each pass, in the order in which the passes ended.
struct KeptBytes {
  planner::ModuleIndex module = planner::kNone;
  std::vector<std::int64_t> blocks;
  std::vector<planner::Bytes> bytes;
};

// Returns those of each binary that asked for a recorded block. Blocks from before the recording are not among them.
[[nodiscard]] std::vector<KeptBytes> kept_bytes(const planner::Trace& trace);

// Returns how much each pass adds to a figure in the long run; 0 where it does not grow steadily, or the passes are too
// few to tell. The first quarter is left out: a warm-up fills what is then full. The rest is cut into eight stretches,
// and the least of each counts, so that what comes and goes does not matter. It must never fall, must still rise at the
// end, and may stand still now and then.
[[nodiscard]] double growth_per_pass(const std::vector<std::int64_t>& alive);

}  // namespace memo::doctor
