// Reads how much of a process's passes was served, from the statistics that the process left.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "planner/tool/text/served.h"

namespace memo::planner {

struct ServedShare {
  ServedAmounts amounts;  // of the steady state, if the process reached it; else of all its passes
  double passes = 0;      // all passes
  bool steady = false;

  // Returns the number of allocations that the amounts count.
  [[nodiscard]] double all() const { return amounts.served + amounts.missed; }
};

// Returns what was served in all passes, in the object that the library writes.
[[nodiscard]] ServedAmounts amounts_in(const nlohmann::ordered_json& statistics);

// Returns what was served in the steady state, after the warm-up that the plan knows. Returns nothing for statistics
// of older versions, and where no pass came after the warm-up.
[[nodiscard]] std::optional<ServedAmounts> steady_amounts_in(const nlohmann::ordered_json& statistics);

// Returns nothing if there is no file, or no statistics in it: the program was killed, or made no pass.
[[nodiscard]] std::optional<ServedShare> read_served_share(const std::string& path);

}  // namespace memo::planner
