// What a trace holds, in figures: the passes one by one, which of them allocated alike, and what operators and call
// sites asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

struct PassSummary {
  const Pass* pass = nullptr;
  Bytes bytes = 0;
  Bytes peak_live = 0;
  std::uint64_t fingerprint = 0;
  std::size_t escaping = 0;
  std::size_t unfreed = 0;  // escaping, and never freed while the trace went on
};

// Passes that allocated exactly alike.
struct PassGroup {
  std::uint64_t fingerprint = 0;
  std::size_t first = 0;  // in TraceSummary::passes
  std::size_t count = 0;
};

struct Total {
  std::string name;
  std::size_t calls = 0;  // scopes only
  std::size_t allocations = 0;
  Bytes bytes = 0;
};

struct TraceSummary {
  std::vector<PassSummary> passes;  // in their order
  std::vector<PassGroup> groups;    // in the order of their first pass
  // The totals are over the passes that recur, where there are any: warm-up is of no interest and would hide the rest.
  std::vector<const Pass*> counted;
  std::vector<Total> scopes;  // by bytes; allocations of the innermost scope
  std::vector<Total> sites;   // by bytes
  std::size_t complete = 0;
};

[[nodiscard]] TraceSummary summarise(const Trace& trace);

}  // namespace memo::planner
