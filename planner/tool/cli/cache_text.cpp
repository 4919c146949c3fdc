#include "planner/tool/cli/cache_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner/tool/cli/text_table.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using learn::CachedPlan;
using nlohmann::ordered_json;
using Time = std::chrono::system_clock::time_point;

std::string local_time(std::optional<Time> time) {
  if (!time) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::chrono::system_clock::to_time_t(*time)));
}

std::string words_of(const CachedPlan& plan) {
  return plan.record ? fmt::format("{}", fmt::join(plan.record->origin.command, " ")) : "-";
}

std::string state_of(const CachedPlan& plan) {
  if (plan.verdict) return "nothing learned";
  if (plan.stale.empty()) return "current";
  return plan.stale.starts_with("broken") ? "broken" : "stale";
}

// Returns a line for each plan of which it was found what serving from it is worth.
std::string notes_on_worth(const std::vector<CachedPlan>& plans) {
  std::string notes;
  for (const CachedPlan& plan : plans) {
    if (plan.worth) notes += fmt::format("{}: {}\n", plan.name, plan.worth->sentence);
  }
  return notes;
}

std::string text_of_verdict(const CachedPlan& plan, const learn::Verdict& verdict) {
  std::string text = fmt::format("plan       none: {}\n", plan.stale);
  text += fmt::format("command    {}\n", words_of(plan));
  text += fmt::format("folder     {}\n", verdict.record.origin.folder);
  text += fmt::format("made       {} by version {}\n", verdict.record.made, verdict.record.version);
  text += fmt::format("counts     for a day and {} starts, of which {} have been\n",
                      learn::kStartsBetweenTries, verdict.starts);
  return text;
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  return planner::human_bytes(static_cast<planner::Bytes>(bytes));
}

std::uint64_t trace_bytes_of(const std::vector<CachedPlan>& plans) {
  std::uint64_t sum = 0;
  for (const CachedPlan& plan : plans) sum += plan.trace_bytes;
  return sum;
}

std::string as_table(const std::vector<CachedPlan>& plans) {
  Rows rows = {{"name", "program", "made", "last used", "plan", "traces", "variants", "shapes", "state"}};
  for (const CachedPlan& plan : plans)
    rows.push_back({plan.name, plan.program, local_time(plan.made), local_time(plan.used),
                    size_text(plan.bytes), size_text(plan.trace_bytes), std::to_string(plan.variants),
                    std::to_string(plan.shapes), state_of(plan)});
  return table(rows) + notes_on_worth(plans);
}

ordered_json as_json(const CachedPlan& plan) {
  ordered_json object = {{"name", plan.name}, {"program", plan.program}, {"path", plan.path.string()}};
  object["command"] = plan.record ? ordered_json(plan.record->origin.command) : ordered_json();
  object["folder"] = plan.record ? ordered_json(plan.record->origin.folder) : ordered_json();
  object["version"] = plan.record ? ordered_json(plan.record->version) : ordered_json();
  object["made"] = learn::time_text(plan.made);
  object["used"] = plan.used ? ordered_json(learn::time_text(*plan.used)) : ordered_json();
  object["bytes"] = plan.bytes;
  object["variants"] = plan.variants;
  object["shapes"] = plan.shapes;
  object["worth"] = plan.worth ? ordered_json(plan.worth->sentence) : ordered_json();
  object["current"] = plan.stale.empty();
  object["why_not"] = plan.stale;
  object["verdict"] = ordered_json();
  if (plan.verdict)
    object["verdict"] = {{"why", plan.verdict->why},
                         {"conditions", plan.verdict->conditions},
                         {"starts", plan.verdict->starts}};
  object["trace_bytes"] = plan.trace_bytes;
  object["traces"] = ordered_json::array();
  for (const std::filesystem::path& trace : plan.traces) object["traces"].push_back(trace.string());
  return object;
}

std::string as_text(const CachedPlan& plan) {
  if (plan.verdict) return text_of_verdict(plan, *plan.verdict);
  const auto& record = plan.record;
  std::string text = fmt::format("plan       {}, {}\n", plan.path.string(), size_text(plan.bytes));
  text += fmt::format("command    {}\n", words_of(plan));
  text += fmt::format("folder     {}\n", record ? record->origin.folder : "-");
  text +=
      fmt::format("made       {}{}\n", local_time(plan.made), record ? " by version " + record->version : "");
  text += fmt::format("last used  {}\n", local_time(plan.used));
  text += fmt::format("holds      variants: {}, shapes: {}\n", plan.variants, plan.shapes);
  if (plan.worth) text += fmt::format("worth      {}\n", plan.worth->sentence);
  text += fmt::format("state      {}\n", plan.stale.empty() ? "current" : plan.stale);
  text += fmt::format("traces     {}, {}\n", plan.traces.size(), size_text(plan.trace_bytes));
  for (const std::filesystem::path& trace : plan.traces)
    text += fmt::format("           {}\n", trace.string());
  return text;
}

}  // namespace memo::cli
