// Writes what is said when a program ends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner/tool/status/process_tree.h"

namespace memo::status {

// The longest line, with "memomalloc: " before it.
inline constexpr std::size_t kLongestLine = 200;

// What a line may name besides the figures; "" is left out.
struct Epilogue {
  std::string plan;        // that is there for the next start, too
  std::string statistics;  // the file that holds them
  std::string arena_cure;  // what to change where an engine's own arena holds what passes use
};

// Returns one line or two. The first says the steady state of the program, then what came before it, then its children's; the
// second what of the memory was its passes'. What does not fit into a line any more is left out.
[[nodiscard]] std::vector<std::string> closing_lines(const ProcessTreeFigures& figures,
                                                     const Epilogue& epilogue);

}  // namespace memo::status
