// `memomalloc cache`: shows, clears and bounds what `run` keeps from one start of a program to the next.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "planner/tool/cli/cache_text.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/learn/cached_plans.h"
#include "planner/tool/learn/plan_cache.h"
#include "planner/tool/learn/trace_limit.h"
#include "runtime/formats/size_text.h"

namespace memo::cli {
namespace {

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
