// Orders the buffers that could lie equally low for the search to try.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "planner/solve/search_problem.h"

namespace memo::planner {

// Decides before the ranking, and only between buffers of the same lowest level.
enum class TieBreak {
  kRank,      // no tie-break: the ranking decides
  kSlack,     // first the buffer in the section with the least room to spare
  kConflict,  // first the buffer in the section that failed most often so far
  kConflicts  // first the buffer whose sections together failed most often so far
};

// The ranking is one letter for each key, the most important one first:
//   W lifetime   A area (lifetime × size)   T the largest sum of a section it is alive in   Z size
//   L late birth   U late death   R random
// Buffers with all keys equal are ordered by index.
struct Ordering {
  TieBreak tie_break = TieBreak::kRank;
  std::string_view ranking = "TWA";
  bool unbiased = false;  // counts failures from the beginning of the dive only, not those of earlier dives
};

// Returns the position of each buffer in the ranking.
[[nodiscard]] std::vector<std::uint32_t> ranks_of(const SearchProblem& problem, std::string_view ranking,
                                                  std::uint64_t seed);

}  // namespace memo::planner
