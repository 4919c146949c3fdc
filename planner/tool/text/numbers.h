// Figures the way people read them.
#pragma once

#include <string>

#include "planner/problem/problem.h"

namespace memo::planner {

// How far a height is over a bound: "0 %", "3.25 %".
[[nodiscard]] std::string percent_over(Bytes height, Bytes bound);

// "512 bytes", "1.50 MiB".
[[nodiscard]] std::string human_bytes(Bytes bytes);

}  // namespace memo::planner
