// Judges in words what `compare` measured: whether the program is faster, or smaller, than with another allocator.
#pragma once

#include <string>

#include "planner/tool/report/measured.h"

namespace memo::planner {

struct MeasuredVerdict {
  std::string sentence;
  std::string advice;  // "" where there is nothing to do
};

// Judges against the C library's allocator, or else against the first that was compared.
[[nodiscard]] MeasuredVerdict verdict_of(const Measured& measured);

}  // namespace memo::planner
