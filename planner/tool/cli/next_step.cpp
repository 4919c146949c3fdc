#include "planner/tool/cli/next_step.h"

#include <fmt/format.h>

#include <algorithm>

namespace memo::cli {

bool can_be_planned(const planner::Trace& trace) {
  if (trace.passes.empty()) return trace.records_all && !trace.outside.empty();
  return std::ranges::any_of(trace.passes, &planner::Pass::complete);
}

std::string next_step(const planner::Trace& trace, const std::string& path) {
  if (can_be_planned(trace)) return fmt::format("next: memomalloc plan {}", path);
  constexpr const char* kCure =
      "next: memomalloc profile --passes-by period -- COMMAND, or name the function that runs a pass with --pass-symbol";
  if (trace.passes.empty())
    return fmt::format("no pass is in {}, so there is nothing to plan; {}", path, kCure);
  return fmt::format(
      "no pass in {} is whole, so there is nothing to plan: the function may run as long as the program does, or the "
      "recording ended within the first pass; {}",
      path, kCure);
}

}  // namespace memo::cli
