// Makes random numbers that are the same on every machine and with every standard library, unlike
// std::uniform_int_distribution.
#pragma once

#include <cstdint>
#include <random>

namespace memo::planner {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Returns a number from 0 to limit - 1. The bias of the remainder is below 2^-32 for the limits in use.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace memo::planner
