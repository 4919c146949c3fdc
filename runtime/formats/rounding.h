// Rounds sizes and places up to whole steps.
#pragma once

#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

constexpr std::uint64_t whole_granules(std::uint64_t bytes) {
  return round_up(bytes, kGranule);
}

}  // namespace memo::runtime
