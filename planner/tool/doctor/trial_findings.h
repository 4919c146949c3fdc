// Judges a trial: whether the library came up, whether passes began, what the library logged about the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "planner/tool/doctor/finding.h"
#include "planner/tool/doctor/trial.h"
#include "planner/tool/served/statistics_file.h"

namespace memo::doctor {

struct Seen {
  Trial trial;
  std::string mode;        // the mode in which the library was started
  std::size_t passes = 0;  // recorded passes, where there was no plan
  Findings caches;         // what grew in the recording
  // The share that was served, if there was a plan and the program left its statistics.
  std::optional<planner::ServedShare> share;
};

[[nodiscard]] Findings examine(const Seen& seen);

}  // namespace memo::doctor
