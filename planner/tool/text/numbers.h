// Formats figures for people.
#pragma once

#include <string>

#include "planner/problem/problem.h"

namespace memo::planner {

// Returns by how much a height exceeds a bound: "0 %", "3.25 %"; in bytes where the bound is less than
// a page, of which a cell more is hundreds of percent.
[[nodiscard]] std::string over_bound(Bytes height, Bytes bound);

// Returns "512 bytes", "1.50 MiB".
[[nodiscard]] std::string human_bytes(Bytes bytes);

}  // namespace memo::planner
