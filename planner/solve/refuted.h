// Remembers what the search has proved to have no solution: a set of 128-bit fingerprints of states. The set is
// bounded: when it is full, new entries replace old ones, which costs time and never an answer.
//
// The set would take two states with the same fingerprint for one. With 128 bits, over a billion states, that
// is less likely than one in 10^19.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/formats/hash.h"

namespace memo::planner {

struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  Fingerprint& operator^=(const Fingerprint& other) {
    low ^= other.low;
    high ^= other.high;
    return *this;
  }
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

[[nodiscard]] constexpr Fingerprint fingerprint_of(std::uint64_t first, std::uint64_t second) {
  const std::uint64_t low = scrambled(first ^ scrambled(second));
  return {low, scrambled(low ^ (second * 0xd6e8feb86659fd93))};
}

class RefutedStates {
 public:
  explicit RefutedStates(std::size_t most_entries);

  [[nodiscard]] bool contains(const Fingerprint& state) const;
  void insert(const Fingerprint& state);

 private:
  static constexpr std::size_t kProbes = 8;

  [[nodiscard]] std::size_t slot(const Fingerprint& state, std::size_t probe) const {
    return (state.low + probe) & (slots_.size() - 1);
  }
  void store(const Fingerprint& state);
  void grow();

  std::vector<Fingerprint> slots_;  // their number is a power of two; an empty slot is all zeroes
  std::size_t most_slots_;
  std::size_t used_ = 0;
};

}  // namespace memo::planner
