// Lists births and deaths in the order of time, for all code that sweeps over a problem.
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

// Calls birth(index) and death(index) of `walk` in the order of the events.
template <typename Walk>
void follow_events(const Problem& problem, Walk& walk) {
  for (const Event& event : sorted_events(problem)) {
    if (event.birth) {
      walk.birth(event.index);
    } else {
      walk.death(event.index);
    }
  }
}

}  // namespace memo::planner
