// The data flow of a pass as a graph: its operators are the nodes, and the allocations that they hand on are the edges.
//
//   conv ──a──► relu ──b──► add        relu reads what conv wrote, and add what relu and conv wrote.
//     └─────────a───────────►
//
// An operator that changes an allocation reads and writes it, so that what comes later reads from it alone. A path between
// two operators says which of them must run first; two without one are branches, and may run in any order or at once.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

using OperationIndex = std::uint32_t;  // in Pass::operations

// `to` reads the allocation that `from` was the last to write.
struct FlowEdge {
  OperationIndex from = 0;
  OperationIndex to = 0;
  std::uint64_t tagged = 0;
  Bytes size = 0;
};

// Returns the edges, by their `to` and then in the order in which it reads. Allocations that no operator of the pass has
// written, such as weights, make none.
[[nodiscard]] std::vector<FlowEdge> flow_edges(const Pass& pass);

// Says which operators of a pass must run before which: those that write what another one reads, and those that read or
// write what another one overwrites later.
class RunOrder {
 public:
  explicit RunOrder(const Pass& pass);

  // Returns the operators that must have run right before this one, each once, in ascending order.
  [[nodiscard]] const std::vector<OperationIndex>& before(OperationIndex operation) const {
    return before_[operation];
  }

  // Returns true if neither of the two needs the other one to have run.
  [[nodiscard]] bool are_independent(OperationIndex a, OperationIndex b) const {
    return a != b && !must_precede(a, b) && !must_precede(b, a);
  }

  // Returns true if `first` must run before `second`, directly or through others.
  [[nodiscard]] bool must_precede(OperationIndex first, OperationIndex second) const {
    return ancestors_[second][first];
  }

 private:
  std::vector<std::vector<OperationIndex>> before_;
  std::vector<std::vector<bool>> ancestors_;  // for each operator, whether it needs each other one
};

}  // namespace memo::planner
