// Births and deaths in the order of time, for everything that sweeps over a problem.
#pragma once

#include <compare>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// Deaths come before births of the same moment, because lifetimes are half-open.
struct Event {
  Time time;
  bool birth;
  BufferIndex index;
  auto operator<=>(const Event&) const = default;
};

[[nodiscard]] std::vector<Event> sorted_events(const Problem& problem);

}  // namespace memo::planner
