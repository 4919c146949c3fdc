// Measures the locks of a program's jemalloc in runs of their own, because printing them costs a little time.
//
// A whole run has the locks of a program's start in it. Where the program answers line by line, a shorter and a longer
// run tell what one more line takes: the start is the same in both, and the difference is that of the lines.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "planner/system/child.h"
#include "planner/tool/compare/in_turn.h"
#include "planner/tool/compare/jemalloc_statistics.h"
#include "planner/tool/compare/measured_run.h"

namespace memo::compare {

struct HeapLocks {
  JemallocStatistics whole;                                        // of the run, or of the longer one
  std::optional<std::map<std::string, double>> operations_a_line;  // by lock

  [[nodiscard]] std::optional<double> all_operations_a_line() const;
};

// Runs a command with so many turns, or as it is where no turns are wanted.
using RunOnce = std::function<MeasuredRun(const process::Command&, const Turns&)>;

// Returns nothing if the program's end printed no statistics.
[[nodiscard]] std::optional<HeapLocks> measure_heap_locks(process::Command command, const Turns& turns,
                                                          const RunOnce& run);

}  // namespace memo::compare
