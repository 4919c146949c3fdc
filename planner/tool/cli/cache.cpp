// `memomalloc cache`: shows, clears and bounds what `run` keeps from one start of a program to the next.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/text_table.h"
#include "planner/tool/learn/cached_plans.h"
#include "planner/tool/learn/plan_cache.h"
#include "planner/tool/learn/trace_limit.h"
#include "planner/tool/text/numbers.h"
#include "runtime/formats/size_text.h"

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

namespace fs = std::filesystem;
using learn::CachedPlan;
using nlohmann::ordered_json;

fs::path folder_of_cache() {
  fs::path folder = learn::cache_folder();
  if (!folder.empty()) return folder;
  throw Failure{kUsage, "there is no cache: neither XDG_CACHE_HOME nor HOME names a folder; set one of them"};
}

void print_json(const ordered_json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

// ---- finding a plan by its name

const CachedPlan& find_plan(const std::vector<CachedPlan>& plans, const std::string& name,
                            const fs::path& folder) {
  const auto found = std::ranges::find_if(
      plans, [&](const CachedPlan& plan) { return plan.name == name || plan.name == name + ".plan"; });
  if (found != plans.end()) return *found;
  const std::vector<std::string> similar = learn::similar_names(plans, name);
  throw Failure{kUsage,
                fmt::format("there is no plan {} in {}; {}", name, folder.string(),
                            similar.empty() ? "`memomalloc cache list` names those that are"
                                            : fmt::format("did you mean {}?", fmt::join(similar, " or ")))};
}

// ---- the actions

std::string name_for(const Options& options, const char* action) {
  if (options.given("name")) return options.text("name");
  throw Failure{kUsage,
                fmt::format("cache {} needs the NAME of a plan; `memomalloc cache list` names them", action)};
}

int list(const Options& options, const fs::path& folder) {
  const std::vector<CachedPlan> plans = learn::cached_plans(folder);
  if (options.flag("json")) {
    ordered_json object = {{"folder", folder.string()},
                           {"trace_limit", learn::trace_limit(folder)},
                           {"trace_bytes", trace_bytes_of(plans)},
                           {"plans", ordered_json::array()}};
    for (const CachedPlan& plan : plans) object["plans"].push_back(as_json(plan));
    print_json(object);
    return kOk;
  }
  if (plans.empty()) {
    spdlog::info("no plans in {}; next: memomalloc run -- COMMAND", folder.string());
    return kOk;
  }
  fmt::print("{}", as_table(plans));
  spdlog::info("kept traces take {} of at most {}; next: memomalloc cache show {}",
               size_text(trace_bytes_of(plans)), size_text(learn::trace_limit(folder)), plans.front().name);
  return kOk;
}

int show(const Options& options, const fs::path& folder) {
  const std::string name = name_for(options, "show");
  const std::vector<CachedPlan> plans = learn::cached_plans(folder);
  const CachedPlan& plan = find_plan(plans, name, folder);
  if (options.flag("json")) {
    print_json(as_json(plan));
    return kOk;
  }
  fmt::print("{}", as_text(plan));
  spdlog::info("next: memomalloc {} {}", plan.verdict ? "cache clear" : "inspect",
               plan.verdict ? plan.name : plan.path.string());
  return kOk;
}

std::vector<CachedPlan> plans_to_clear(const Options& options, const fs::path& folder) {
  std::vector<CachedPlan> plans = learn::cached_plans(folder);
  if (options.flag("all")) return plans;
  if (!options.flag("stale")) return {find_plan(plans, options.text("name"), folder)};
  std::erase_if(plans, [](const CachedPlan& plan) { return plan.stale.empty() || plan.verdict; });
  return plans;
}

int clear(const Options& options, const fs::path& folder) {
  const int ways = int{options.given("name")} + int{options.flag("stale")} + int{options.flag("all")};
  if (ways != 1) throw Failure{kUsage, "cache clear needs one of NAME, --stale and --all"};
  const std::vector<CachedPlan> plans = plans_to_clear(options, folder);
  for (const CachedPlan& plan : plans) {
    learn::remove_plan(plan);
    spdlog::info("removed {}", plan.name);
  }
  if (!options.given("name"))
    for (const fs::path& file : learn::leftovers(folder)) fs::remove_all(file);
  if (plans.empty()) spdlog::info("nothing to remove in {}", folder.string());
  return kOk;
}

int limit(const Options& options, const fs::path& folder) {
  if (options.given("name")) {
    const std::string size = options.text("name");
    std::uint64_t bytes = 0;
    if (!read_size(size.c_str(), &bytes))
      throw Failure{
          kUsage,
          fmt::format("the limit is \"{}\"; give a size such as 256M or 1G, or 0 to keep no traces", size)};
    fs::create_directories(folder);
    learn::set_trace_limit(folder, bytes);
  }
  const std::uint64_t removed = learn::apply_trace_limit(folder);
  if (options.flag("json")) {
    print_json({{"trace_limit", learn::trace_limit(folder)}, {"removed_bytes", removed}});
    return kOk;
  }
  spdlog::info("kept traces may take {}; removed {}", size_text(learn::trace_limit(folder)),
               size_text(removed));
  return kOk;
}

int run_action(const Options& options) {
  const std::string action = options.text("action");
  const fs::path folder = folder_of_cache();
  if (action == "list") return list(options, folder);
  if (action == "show") return show(options, folder);
  if (action == "clear") return clear(options, folder);
  if (action == "limit") return limit(options, folder);
  throw Failure{kUsage,
                fmt::format("cache has no action \"{}\"; it has list, show, clear and limit", action)};
}

int run_cache(const Options& options) {
  try {
    return run_action(options);
  } catch (const fs::filesystem_error& error) {
    throw Failure{kRuntime, fmt::format("cannot change or read {}: {}", error.path1().string(),
                                        error.code().message())};
  } catch (const std::system_error& error) {
    throw Failure{kRuntime,
                  fmt::format("cannot write to {}: {}", folder_of_cache().string(), error.code().message())};
  }
}

}  // namespace

std::function<int()> declare_cache(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "cache");
  return [options] { return run_cache(*options); };
}

}  // namespace memo::cli
