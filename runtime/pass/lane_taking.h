// Chooses the lane on which a pass runs, and the variant by which it begins.
#pragma once

#include <cstdint>

#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// Takes an idle lane that has a variant for the pass, or says in self.why that there is none.
void take_lane(ThreadState& self, std::uint64_t key);

[[nodiscard]] inline LaneFor use_of(const ThreadState& self) {
  return self.is_worker ? LaneFor::kWorkers : LaneFor::kPasses;
}

}  // namespace memo::runtime
