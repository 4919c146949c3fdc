#include "planner/tool/cli/passes_by.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/tool/cli/command.h"

namespace memo::cli {
namespace {

using planner::FoundAnchor;
using planner::Pass;
using planner::Trace;

constexpr std::string_view kMarkedPass = "memo_pass_begin";

bool is_marked(const Trace& trace, const Pass& pass) {
  return trace.name(pass.name) == kMarkedPass;
}

constexpr const char* kStopped = "the search for a period was stopped by --timeout";

std::string sizes_of(const FoundAnchor& anchor) {
  if (anchor.most == planner::Anchor::kAnySize) return "";
  return anchor.least == anchor.most ? fmt::format(" for {} bytes", anchor.most)
                                     : fmt::format(" for {} to {} bytes", anchor.least, anchor.most);
}

std::string describe(const FoundAnchor& anchor) {
  return fmt::format(
      "  opened by    {}+{:#x}{}: {} of {} stretches from one to the next are passes, with {:.1f} % of what "
      "their threads allocate meanwhile\n",
      anchor.module.path, anchor.offset, sizes_of(anchor), anchor.passes, anchor.stretches,
      100 * anchor.covered);
}

nlohmann::ordered_json json_of(const FoundAnchor& anchor) {
  nlohmann::ordered_json json = {{"module", anchor.module.path}, {"offset", anchor.offset},
                                 {"least", anchor.least},        {"most", anchor.most},
                                 {"passes", anchor.passes},      {"stretches", anchor.stretches},
                                 {"covered", anchor.covered}};
  if (!anchor.decided_by.empty()) json["decided_by"] = anchor.decided_by;
  if (anchor.rival) json["runner_up"] = {{"module", anchor.rival->module}, {"offset", anchor.rival->offset}};
  return json;
}

}  // namespace

std::string wanted_passes(const std::string& way) {
  if (way.empty() || way == "hooks" || way == "api" || way == kByPeriod) return way;
  throw Failure{kUsage, fmt::format("--passes-by is \"{}\"; give hooks, api or period", way)};
}

void WaysOfTraces::add(const Trace& trace) {
  for (const Pass& pass : trace.passes) (is_marked(trace, pass) ? marked_ : hooked_) = true;
  records_all_ = records_all_ || trace.records_all;
}

bool WaysOfTraces::need_a_period(const std::string& forced) const {
  return forced == kByPeriod || (forced.empty() && !marked_ && !hooked_ && records_all_);
}

std::string WaysOfTraces::chosen(const std::string& forced) const {
  if (marked_ && hooked_) return "hooks and api";
  return marked_ ? "api" : hooked_ ? "hooks" : forced;
}

void keep_wanted_passes(Trace& trace, const std::string& forced) {
  if (forced != "hooks" && forced != "api") return;
  std::erase_if(trace.passes, [&](const Pass& pass) { return is_marked(trace, pass) != (forced == "api"); });
}

PassesBy by_period(std::vector<Trace>& traces, planner::Deadline deadline) {
  PassesBy passes{.way = kByPeriod, .anchors = planner::find_passes_by_period(traces, deadline)};
  if (passes.anchors.empty() && deadline.cut_short())
    throw Failure{kNoPlan, fmt::format("{} before any pass was found; give it more time, or a shorter trace",
                                       kStopped)};
  if (deadline.cut_short())
    spdlog::warn("{}: what it had found by then is used; more time may find passes that serve more",
                 kStopped);
  if (passes.anchors.empty())
    throw Failure{
        kInput,
        "no pass shows in what the threads allocate: nothing long enough recurs, or too rarely; profile a "
        "longer run, or name the function that runs a pass with --pass-symbol"};
  return passes;
}

PassesBy choose_passes(std::vector<Trace>& traces, const std::string& forced, planner::Deadline deadline) {
  WaysOfTraces ways;
  for (Trace& trace : traces) {
    keep_wanted_passes(trace, forced);
    ways.add(trace);
  }
  if (ways.need_a_period(forced)) return by_period(traces, deadline);
  return {.way = ways.chosen(forced), .anchors = {}};
}

std::string describe(const PassesBy& passes) {
  std::string text = fmt::format("passes by {}\n", passes.way);
  for (const FoundAnchor& anchor : passes.anchors) text += describe(anchor);
  return text;
}

void add_to_json(const PassesBy& passes, nlohmann::ordered_json& json) {
  json["passes_by"] = passes.way;
  if (passes.anchors.empty()) return;
  json["anchors"] = nlohmann::json::array();
  for (const FoundAnchor& anchor : passes.anchors) json["anchors"].push_back(json_of(anchor));
}

}  // namespace memo::cli
