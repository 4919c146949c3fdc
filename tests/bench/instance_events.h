// Reads the buffers of a CSV instance as the calls that a pass makes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

struct Event {
  planner::Time time;
  bool begins;
  std::size_t buffer;
  std::size_t size;
};

struct InstanceEvents {
  std::size_t buffers = 0;
  std::vector<Event> events;  // in the order in which they happen; at one moment what ends comes first
};

// Divides every size by `divide`. Throws std::runtime_error if the file cannot be read.
[[nodiscard]] InstanceEvents read_events(const std::string& path, std::size_t divide = 1);

// Does what one event says to the blocks of the pass, one for each buffer. Writes to every page of a new block.
void follow(const Event& event, std::vector<void*>& blocks);

void run_pass(const InstanceEvents& pass, std::vector<void*>& blocks);

}  // namespace memo::bench
