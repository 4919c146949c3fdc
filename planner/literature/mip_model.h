// States the allocation problem as a mixed integer program, in the LP format that every solver reads.
//
//   minimise u          over the offset x_i of each buffer and one binary z_ij for each pair that overlaps in time
//   x_i + s_i <= u
//   x_i + s_i <= x_j + W z_ij          z = 0: i lies below j
//   x_j + s_j <= x_i + W (1 - z_ij)    z = 1: above
//
// Strengthened: W is one below the height of a known plan (the textbook takes the sum of all sizes), so that
// "infeasible" proves that plan least. u is bounded from below by the peak of live bytes, which implies every
// clique cut. Offsets are bounded by W - s_i. Two buffers alike may swap places, so the first lies below,
// without a binary. When nothing is fixed or aligned, mirroring a plan gives another one, so the largest buffer
// may be held to the lower half. An aligned offset is the alignment times an integer.
#pragma once

#include <string>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// The program. Columns are in the order in which they appear in the text: u first, then one for each buffer.
struct MipModel {
  std::string lp;
  std::vector<std::string> columns;  // columns[i + 1] stands for buffer i
};

// Makes the program. u may reach `most` and cannot fall below `bound`.
[[nodiscard]] MipModel make_mip_model(const Problem& problem, Bytes bound, Bytes most);

}  // namespace memo::planner
