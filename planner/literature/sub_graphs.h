// Finds parts of a problem that occur several times, as the operators do that a network calls again and again. A problem has no
// operators: so a part is a sequence of births with the same sizes, alignments and overlaps.
//
//   births    a b c | x | a b c | a b c | y        three calls of a part. What lives within a call is inside of it (b and c); what
//               =-      |   =-      =-             outlives it (a) is not.
#pragma once

#include <optional>
#include <vector>

#include "planner/placing/budget.h"
#include "planner/problem/problem.h"

namespace memo::planner {

// A part, and for each of its calls the buffers inside, in the order of their births. Those at one place are alike, and no two calls
// have one at the same moment.
struct SubGraph {
  std::vector<std::vector<BufferIndex>> calls;
};

// Returns the part whose calls have most buffers inside. Returns nothing where no part with two of them occurs twice, or where its
// calls have less than a thirty-second of all buffers. Costs a look at each birth for each length of a part.
[[nodiscard]] std::optional<SubGraph> find_sub_graph(const Problem& problem, Budget& budget);

}  // namespace memo::planner
