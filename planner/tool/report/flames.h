// Makes the flame graphs of a trace: who asks for its bytes, as trees of callers.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/report/call_tree.h"
#include "planner/tool/report/counted.h"
#include "planner/tool/report/trace_summary.h"
#include "planner/trace/symbols.h"

namespace memo::planner {

struct Flame {
  std::string paths;    // what the names are: "call stacks" or "operators"
  std::string counted;  // what the bytes are: "asked for"
  std::string passes;   // where they were counted: "the 12 passes that recur"
  CallTree tree;
};

// The flame graphs of one trace.
struct Flames {
  std::string source;  // its file
  std::vector<Flame> graphs;
};

// Returns true if some allocation of a pass has a call stack.
[[nodiscard]] bool has_stacks(const Trace& trace);

// Sums the allocations by call stack, from the outermost function to the one that allocates. Those without a stack have the
// path "no call stack".
[[nodiscard]] CallTree by_call_stack(const Trace& trace, const std::vector<CountedAllocation>& counted,
                                     Symbolizer& symbols);

// Returns the graphs of all bytes that the counted passes of the summary ask for, and of those alive at the peak: by call stack
// and by operator, as far as the trace has them.
[[nodiscard]] Flames flames_of(const Trace& trace, const TraceSummary& summary);

// Adds the graphs of what a plan sends to the heap. `served` is the same trace without labels, whose allocations `missed` are.
void add_missed(const Trace& served, const std::vector<CountedAllocation>& missed, Flames& flames);

}  // namespace memo::planner
