// Writes passes that were found into traces, as if the program had marked them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/period/stretches.h"
#include "planner/steps/period_passes.h"
#include "planner/steps/thread_steps.h"
#include "planner/trace/trace.h"

namespace memo::planner {

// Collects new passes beside the old ones, since it copies their allocations from the old ones.
class NewPasses {
 public:
  explicit NewPasses(std::size_t traces) : passes_(traces), names_(traces) {}

  // Returns false, with some passes left out, where the deadline is over before.
  [[nodiscard]] bool add(const FoundAnchor& anchor, std::span<const Stretch> stretches,
                         std::span<const TraceThread> threads, std::span<const Trace> traces,
                         Deadline& deadline);
  // Replaces the passes of the traces. The collection is empty afterwards.
  void replace(std::span<Trace> traces);

 private:
  NameIndex name(std::size_t t, const Trace& trace, const std::string& text);

  std::vector<std::vector<Pass>> passes_;
  std::vector<std::vector<std::string>> names_;
};

}  // namespace memo::planner
