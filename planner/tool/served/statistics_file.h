// Reads how much of a process's passes was served, from the statistics file that the process left.
#pragma once

#include <optional>
#include <string>

#include "planner/tool/served/served.h"

namespace memo::planner {

struct ServedShare {
  Served judged;             // of the steady state, if the process reached it; else of all its passes
  std::uint64_t passes = 0;  // all passes
  bool steady = false;
};

// Returns nothing if there is no file, or no statistics in it: the program was killed, or made no pass.
[[nodiscard]] std::optional<ServedShare> read_served_share(const std::string& path);

}  // namespace memo::planner
