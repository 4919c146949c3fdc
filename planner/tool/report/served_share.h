// Reads how much of a process's passes was served, from the statistics that the process left.
#pragma once

#include <optional>
#include <string>

namespace memo::planner {

struct ServedShare {
  double served = 0;
  double all = 0;  // all allocations inside passes
  double passes = 0;

  [[nodiscard]] double share() const { return all > 0 ? served / all : 0; }
};

// Returns nothing if there is no file, or no statistics in it: the program was killed, or made no pass.
[[nodiscard]] std::optional<ServedShare> read_served_share(const std::string& path);

}  // namespace memo::planner
