// Turns what the threads of traces allocate into the sequences of steps that find_period (planner/period/)
// searches.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "planner/period/period.h"
#include "planner/problem/deadline.h"
#include "planner/steps/trace_view.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// The allocations of one thread of one trace, in or outside of the passes that the trace has.
struct TraceThread {
  std::size_t trace = 0;
  std::vector<const Allocation*> made;
};

// Returns only a part once the deadline is over.
[[nodiscard]] std::vector<TraceThread> threads_of(std::span<const Trace> traces, Deadline& deadline);

// Returns how many of the allocations had begun by this time.
[[nodiscard]] std::size_t begun_by(std::span<const Allocation* const> made, std::uint64_t ns);

// A call site, and what else tells its allocations apart.
struct Context {
  PlanSite site;
  Bytes size_class = 0;
  Bytes alignment = 0;
  bool reallocated = false;
  friend auto operator<=>(const Context&, const Context&) = default;
};

class Contexts {
 public:
  // Returns the number of the context, a new one if it is new.
  ContextId add(const Context& context);
  [[nodiscard]] const Context& operator[](ContextId id) const { return all_[id]; }

  // Returns which contexts may open a pass. A block that is reallocated may stay where it is, so the arena
  // would not notice it. Code made at run time has another address in the next run.
  [[nodiscard]] std::vector<bool> may_open() const;
  [[nodiscard]] bool is_alone_at_its_site(ContextId id) const;

 private:
  std::map<Context, ContextId> ids_;
  std::vector<Context> all_;
};

// The facts that make two allocations alike. If each request has a shape of its own, their sizes do not
// count.
enum class Alike : std::uint8_t { kBySiteAndSize, kBySite };

// Returns the steps of each thread, and only a part of them once the deadline is over. Adds their contexts.
[[nodiscard]] std::vector<Sequence> sequences_of(std::span<const TraceThread> threads,
                                                 std::span<const TraceView> views, Alike alike,
                                                 Contexts& contexts, Deadline& deadline);

}  // namespace memo::planner
