#include "planner/tool/cli/inputs.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string_view>

#include "planner/plan/plan_reader.h"
#include "planner/system/regular_file.h"
#include "planner/tool/cli/command.h"
#include "planner/trace/as_served.h"
#include "runtime/formats/plan_format.h"

namespace memo::cli {
namespace {

// Returns the first bytes of the file, or "" if it cannot be read.
std::string beginning_of(const std::string& path) {
  try {
    return process::read_beginning(path, 256);
  } catch (const process::Unreadable&) {
    return {};
  }
}

bool is_printable(char letter) {
  return letter == '\n' || letter == '\r' || letter == '\t' || static_cast<unsigned char>(letter) >= ' ';
}

}  // namespace

FileKind kind_of(const std::string& path) {
  const std::string head = beginning_of(path);
  if (head.starts_with(std::string_view(kPlanMagic, sizeof kPlanMagic))) return FileKind::kPlan;
  if (head.starts_with('{')) return FileKind::kJson;
  const bool text = std::ranges::all_of(head, is_printable);
  return text && head.find(',') != std::string::npos ? FileKind::kCsv : FileKind::kTrace;
}

std::vector<std::string> warnings_about(const planner::Trace& trace) {
  std::vector<std::string> warnings;
  const auto complete = std::count_if(trace.passes.begin(), trace.passes.end(),
                                      [](const planner::Pass& pass) { return pass.complete; });
  if (!trace.damage.empty())
    warnings.push_back(
        fmt::format("{} is damaged, first at offset {} ({}); still read: {} passes, {} of them complete{}",
                    trace.path, trace.damage.front().offset, trace.damage.front().what, trace.passes.size(),
                    complete, trace.damage.size() > 1 ? "; inspect lists every place" : ""));
  if (trace.lost > 0)
    warnings.push_back(
        fmt::format("{}: {} events are missing; passes with gaps are not used", trace.path, trace.lost));
  return warnings;
}

std::vector<planner::Trace> read_traces(const std::vector<std::string>& paths) {
  std::vector<planner::Trace> traces;
  for (const std::string& path : paths) {
    try {
      traces.push_back(planner::read_trace(path));
    } catch (const planner::TraceError& error) {
      throw Failure{kInput, error.what()};
    }
    for (const std::string& warning : warnings_about(traces.back())) spdlog::warn("{}", warning);
  }
  return traces;
}

std::vector<planner::Trace> read_traces_as_served(const std::vector<std::string>& paths) {
  std::vector<planner::Trace> traces = read_traces(paths);
  std::ranges::for_each(traces, planner::make_as_served);
  return traces;
}

planner::PlanDescription read_plan(const std::string& path) {
  try {
    return planner::read_plan(path);
  } catch (const std::runtime_error& error) {
    throw Failure{kInput, error.what()};
  }
}

}  // namespace memo::cli
