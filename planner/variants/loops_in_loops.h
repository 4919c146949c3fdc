// Joins passes that repeat a part within a part, each a different number of times, to variants with loops in loops.
//
// Such a variant leads a pass less surely than one with loops on one level: more steps may follow each. So it is made only
// where one level is not enough. All passes of a kind are joined both ways, and loops in loops have to leave fewer of them
// without a variant. Where they do not, one loop is folded whatever the sizes before it.
#pragma once

#include <vector>

#include "planner/variants/member.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// Returns these variants, and removes their runs from `members`.
[[nodiscard]] std::vector<Variant> join_loops_in_loops(std::vector<Member>& members);

}  // namespace memo::planner
