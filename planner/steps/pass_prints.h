// Hashes of passes and traces. They are comparable between processes that ran the same builds.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

class PassPrints {
 public:
  explicit PassPrints(const Trace& trace);

  // Returns equal values for passes that are alike (distinct_passes.h). Of a pass that is not complete only the name and
  // the key count, since nothing else of it is used.
  [[nodiscard]] std::uint64_t of(const Pass& pass) const;

  // Returns a hash of all in the trace that a plan may depend on. `prints` are those of its passes.
  [[nodiscard]] std::uint64_t of_trace(const std::vector<std::uint64_t>& prints) const;

 private:
  [[nodiscard]] std::uint64_t name(NameIndex index) const;
  [[nodiscard]] std::uint64_t site(const Site& site) const;
  [[nodiscard]] std::uint64_t of_scopes(const Pass& pass) const;
  [[nodiscard]] std::uint64_t of_allocations(const Pass& pass) const;

  const Trace& trace_;
  std::vector<std::uint64_t> names_;
  std::vector<std::uint64_t> modules_;
};

}  // namespace memo::planner
