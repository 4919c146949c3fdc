// Sums up a trace in figures: its passes, which of them allocated alike, and what operators and call sites
// requested.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/tool/report/call_tree.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct PassSummary {
  const Pass* pass = nullptr;
  Bytes bytes = 0;
  Bytes peak_live = 0;
  std::uint64_t fingerprint = 0;
  std::size_t escaping = 0;
  std::size_t unfreed = 0;  // escaping allocations that were not freed before the trace's end
};

// Passes that made exactly the same allocations.
struct PassGroup {
  std::uint64_t fingerprint = 0;
  std::size_t first = 0;  // an index into TraceSummary::passes
  std::size_t count = 0;
};

struct Total {
  std::string name;
  std::size_t calls = 0;  // for scopes only
  std::size_t allocations = 0;
  Bytes bytes = 0;
};

struct TraceSummary {
  std::vector<PassSummary> passes;  // in the order of the trace
  std::vector<PassGroup> groups;    // in the order of their first pass
  // The passes that the totals cover: those that recur, or all if none does. Warm-up passes do not matter and
  // would hide the rest.
  std::vector<const Pass*> counted;
  std::vector<Total> scopes;     // largest bytes first; an allocation counts for its innermost scope
  std::vector<Total> outermost;  // likewise for its outermost operator, labels left out
  CallTree operators;            // by the path of all its scopes
  std::vector<Total> sites;      // largest bytes first
  std::size_t complete = 0;
};

[[nodiscard]] TraceSummary summarise(const Trace& trace);

// Returns what the totals have in no operator. Its name says so.
[[nodiscard]] Total outside_operators(const TraceSummary& summary);

// Says which passes the totals cover: "all passes together", "the 12 passes that recur".
[[nodiscard]] std::string describe_counted(const TraceSummary& summary);

}  // namespace memo::planner
