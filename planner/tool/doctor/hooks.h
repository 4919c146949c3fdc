// Holds the functions that the library hooks against the engines that a program has loaded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planner/tool/doctor/finding.h"
#include "runtime/formats/hooked_functions.h"

namespace memo::doctor {

// Counts the functions of a file that a row of the table matches.
struct HookMatch {
  const HookedFunctions* row;
  std::size_t functions;
};

// Returns the rows for this file, in the order of the table; an empty list for a file that is no engine's.
[[nodiscard]] std::vector<HookMatch> hook_matches(const std::string& path);

// Reports the engines among the files, with the number of functions that begin a pass. Of an engine that has none any more
// it names what was looked for; that is advice if no pass was seen, since a new version may have renamed them.
[[nodiscard]] Findings examine_hooks(const std::vector<std::string>& objects, bool saw_passes);

}  // namespace memo::doctor
