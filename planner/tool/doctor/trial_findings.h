// What a trial shows: did the library come up, did passes begin, what did it say of the program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "planner/tool/doctor/finding.h"
#include "planner/tool/doctor/trial.h"
#include "planner/tool/report/served_share.h"

namespace memo::doctor {

struct Seen {
  Trial trial;
  std::string mode;        // that the library was started in
  std::size_t passes = 0;  // recorded, where there was no plan
  std::optional<planner::ServedShare>
      share;  // served, where there was one and the program left its statistics
};

[[nodiscard]] Findings examine(const Seen& seen);

}  // namespace memo::doctor
