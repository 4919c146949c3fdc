#include "planner/solve/refuted.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace memo::planner {

RefutedStates::RefutedStates(std::size_t most_entries)
    : slots_(1024), most_slots_(std::max(slots_.size(), std::bit_ceil(most_entries))) {}

bool RefutedStates::contains(const Fingerprint& state) const {
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    if (slots_[slot(state, probe)] == state) return true;
  }
  return false;
}

void RefutedStates::insert(const Fingerprint& state) {
  if (used_ * 2 >= slots_.size() && slots_.size() < most_slots_) grow();
  store(state);
}

// Stores into the first empty slot; where there is none, over the first slot.
void RefutedStates::store(const Fingerprint& state) {
  for (std::size_t probe = 0; probe < kProbes; ++probe) {
    Fingerprint& candidate = slots_[slot(state, probe)];
    if (candidate == Fingerprint{}) {
      ++used_;
      candidate = state;
      return;
    }
  }
  slots_[slot(state, 0)] = state;
}

void RefutedStates::grow() {
  const std::vector<Fingerprint> old = std::exchange(slots_, std::vector<Fingerprint>(slots_.size() * 2));
  used_ = 0;
  for (const Fingerprint& state : old) {
    if (state != Fingerprint{}) store(state);
  }
}

}  // namespace memo::planner
