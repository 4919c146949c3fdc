// Chooses the lane on which a pass runs, and the variant by which it begins.
#pragma once

#include <cstdint>

#include "runtime/slab/thread_state.h"

namespace memo::runtime {

// What is known of a pass that is to begin.
struct Outset {
  std::uint64_t key;
  std::uintptr_t object;  // address of what it is a call of, or 0
};

// Takes an idle lane that has a variant for the pass, or says in self.why that there is none.
void take_lane(ThreadState& self, const Outset& outset);

[[nodiscard]] inline LaneFor use_of(const ThreadState& self) {
  return self.is_worker ? LaneFor::kWorkers : LaneFor::kPasses;
}

}  // namespace memo::runtime
