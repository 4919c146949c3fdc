// Looks for an order of a pass's operators that needs less memory than the recorded one. It is advice: the program runs its
// operators, and nothing here makes it run them otherwise.
//
//   recorded   big1 big2 small1 small2 add     both big blocks are alive at once
//   advised    big1 small1 big2 small2 add     one at a time
//
// Every order that the data flow allows (planner/trace/data_flow.h) may be taken. An operator needs what it allocates and
// frees itself, as recorded. What it hands on lives until the last one that uses it has run, or as long as the program
// kept it otherwise.
#pragma once

#include <vector>

#include "planner/trace/data_flow.h"

namespace memo::planner {

struct OrderAdvice {
  Bytes recorded = 0;                 // the peak in the recorded order, by this model
  Bytes least = 0;                    // no order has a lower peak: one operator alone needs so much
  OperationIndex neediest = 0;        // which one
  Bytes advised = 0;                  // the peak in `order`: never more
  std::vector<OperationIndex> order;  // all operators; the recorded order where none better was found
};

// Looks at `width` beginnings at a time: the best ones of each length are continued. Searches nothing where the recorded order has the
// least peak.
[[nodiscard]] OrderAdvice advise_order(const Pass& pass, std::size_t width = 256);

}  // namespace memo::planner
