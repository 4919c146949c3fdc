// How the size of a slot follows from the two numbers p and q of its variant, a batch and a length, say; or from t, the steps
// beyond what was profiled.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::planner {

// base + factor * p^powers[0] * q^powers[1] * t^powers[2], and up to `rounding` bytes more.
struct SizeFormula {
  std::uint64_t base = 0;
  std::uint64_t factor = 0;  // 0: the size has no formula
  std::uint32_t rounding = 0;
  std::array<std::uint32_t, kFormulaNumbers> powers = {};
  friend bool operator==(const SizeFormula&, const SizeFormula&) = default;

  [[nodiscard]] bool exists() const { return factor != 0; }
  [[nodiscard]] bool is_line() const { return powers[2] != 0; }
  [[nodiscard]] std::uint64_t growth() const { return is_line() ? factor : 0; }  // in each step
};

// Returns the line of a size that grows by so many bytes in each step.
[[nodiscard]] inline SizeFormula line_from(std::uint64_t size, std::uint64_t growth) {
  return growth == 0 ? SizeFormula{} : SizeFormula{.base = size, .factor = growth, .powers = {0, 0, 1}};
}

}  // namespace memo::planner
