// Numbers things by their hashes: what the trace holds once, and events or other blocks refer to by number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memo::guest {

// Two different things with the same hash get the same number, in one of 2^64 / kMost programs.
template <std::size_t kMost>
class NumberedOnce {
 public:
  // Returns the number of a hash that is not 0, from 1, and whether this call gave it. Returns 0 where the table has no
  // place for it.
  std::uint32_t number_of(std::uint64_t hash, bool& fresh) {
    constexpr std::size_t kMostProbes = 64;
    for (std::size_t probe = 0; probe < kMostProbes; ++probe) {
      const std::size_t at = (hash + probe) % kMost;
      std::uint64_t found = 0;
      fresh =
          __atomic_compare_exchange_n(&hashes_[at], &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      if (fresh || found == hash) return static_cast<std::uint32_t>(at + 1);
    }
    return 0;
  }

 private:
  std::uint64_t hashes_[kMost];  // 0 for a free place; the number of a hash is its place + 1
};

}  // namespace memo::guest
