// `memomalloc check`: tells whether a plan is sound, and how much of other traces it would serve.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "planner/check/check_plan.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/replay.h"
#include "runtime/formats/plan_format.h"

namespace memo::cli {
namespace {

using planner::DryRun;
using planner::PlanDescription;

void require_sound(const PlanDescription& plan, const std::string& path) {
  const planner::Verdict verdict = planner::check_plan(plan);
  if (!verdict.valid())
    throw Failure{kCheckFailed, fmt::format("{} is not sound: {}", path, verdict.sentence)};
}

bool has_workers(const PlanDescription& plan) {
  return std::any_of(plan.variants.begin(), plan.variants.end(),
                     [](const auto& variant) { return variant.pass_key == kWorkerPassKey; });
}

std::string reasons(const DryRun& run) {
  std::string text;
  for (const auto& [reason, count] : run.fallback)
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text;
}

std::string describe(const std::string& path, const DryRun& run) {
  std::string text =
      fmt::format("{}: {:.2f} % of {} allocations served, in {} passes of which {} wholly\n", path,
                  100 * run.share(), run.served + run.missed(), run.passes, run.fully_served);
  if (run.missed() > 0) text += fmt::format("  to the heap: {}\n", reasons(run));
  for (const std::string& module : run.foreign)
    text += fmt::format("  not in the plan: {}, or another build of it\n", module);
  return text;
}

nlohmann::ordered_json to_json(const std::string& path, const DryRun& run) {
  return {{"trace", path},
          {"passes", run.passes},
          {"fully_served", run.fully_served},
          {"served", run.served},
          {"served_bytes", run.served_bytes},
          {"fallback", run.fallback},
          {"fallback_bytes", run.fallback_bytes},
          {"foreign", run.foreign}};
}

int run_check(const Options& options) {
  const std::string path = options.text("plan");
  const PlanDescription plan = read_plan(path);
  require_sound(plan, path);
  nlohmann::ordered_json json = {{"plan", path}, {"sound", true}, {"traces", nlohmann::json::array()}};
  std::string text = fmt::format("{}: sound, {} {}\n", path, plan.variants.size(),
                                 plan.variants.size() == 1 ? "variant" : "variants");
  const bool workers = has_workers(plan);
  json["workers"] = workers ? "not replayed" : "none";
  for (planner::Trace& trace : read_traces(options.list("trace"))) {
    const DryRun run = replay(plan, trace);
    json["traces"].push_back(to_json(trace.path, run));
    text += describe(trace.path, run);
  }
  // Workers share the work differently in each run, so replaying one run would say little.
  if (workers && options.given("trace"))
    text +=
        "  not replayed: what worker threads allocate while others run passes, which the plan serves, too\n";
  fmt::print("{}", options.flag("json") ? json.dump(2) + "\n" : text);
  spdlog::info("next: memomalloc serve --plan {} -- COMMAND", path);
  return kOk;
}

}  // namespace

std::function<int()> declare_check(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "check");
  return [options] { return run_check(*options); };
}

}  // namespace memo::cli
