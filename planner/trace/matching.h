// Matches frees with allocations by their tagged pointers: the frees that the replay of one thread alone could not
// settle, because another thread made the block, or its pass was over.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/trace/trace.h"
#include "planner/trace/trace_context.h"

namespace memo::planner {

struct PendingFree {
  std::uint64_t tagged;
  std::uint64_t ticks;
  ThreadIndex thread;
  std::uint8_t flags;
};

// Notes that the replay of the threads leaves for the matching, and that the finished trace does not need.
struct Unmatched {
  // The notes about one pass, for each of Trace::passes.
  struct PassNotes {
    std::vector<std::uint64_t> position_ticks;
    std::vector<std::uint64_t> allocation_ticks;
    std::uint64_t end_ticks = 0;
  };

  std::vector<PendingFree> frees;
  std::vector<PassNotes> passes;
  std::vector<std::uint64_t> outside_ticks;  // one for each of Trace::outside
};

// Settles the frees, and counts those that find no allocation. The passes stand in the order of their notes.
void match_frees(Trace& trace, const TraceContext& context, Unmatched& left);

}  // namespace memo::planner
