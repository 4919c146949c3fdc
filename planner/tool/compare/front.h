// Finds the allocators that no other passes: none is as fast with less memory, or faster with as little.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/compare/comparison.h"

namespace memo::compare {

// What one allocator reached, by the medians of its rounds.
struct Standing {
  std::string name;
  double speed = 0;  // more is better
  double bytes = 0;  // the most resident memory; less is better
  bool on_front = false;
};

// Adds what an allocator reached by a figure of speed, of which less may be better. Leaves out a speed that is not positive.
void add_standing(std::vector<Standing>& standings, const std::string& name, const std::string& speed_figure,
                  double speed, double bytes);

// Marks each standing that no other one passes.
void mark_front(std::vector<Standing>& standings);

// Returns the figure that stands for the most memory: that of the steady state. Programs that are asked in turn only
// have that of the whole run.
[[nodiscard]] std::string most_memory_figure(const Comparison& comparison);

// Returns the standings of all allocators that have both figures, in the order of the comparison.
[[nodiscard]] std::vector<Standing> standings_of(const Comparison& comparison);

}  // namespace memo::compare
