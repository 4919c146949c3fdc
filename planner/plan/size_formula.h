// How the size of a slot follows from the two numbers of its variant: a batch and a length, say.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::planner {

// base + factor * p^powers[0] * q^powers[1], and up to `rounding` bytes more.
struct SizeFormula {
  std::uint64_t base = 0;
  std::uint64_t factor = 0;  // 0: the size has no formula
  std::uint32_t rounding = 0;
  std::array<std::uint32_t, kMaxVaryingSizes> powers = {};
  friend bool operator==(const SizeFormula&, const SizeFormula&) = default;

  [[nodiscard]] bool exists() const { return factor != 0; }
};

}  // namespace memo::planner
