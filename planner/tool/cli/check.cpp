// `memomalloc check`: tells whether a plan is sound, and how much of other traces it would serve.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/check/check_plan.h"
#include "planner/plan/plan_json.h"
#include "planner/plan/worker_key.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/inspect.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/replay.h"
#include "planner/tool/served/served.h"
#include "runtime/formats/plan_format.h"

namespace memo::cli {
namespace {

using planner::DryRun;
using planner::PlanDescription;
using planner::Served;

// Shares of what the passes come to allocate. From 9/10 on a plan is worth serving from. A plan of another model
// knows less than a half: what all models have.
constexpr double kWorthServing = 0.9;
constexpr double kLeastKnown = 0.5;

struct Replayed {
  std::string path;
  DryRun run;
};

// Says how a plan and the passes of a trace go together, from the worst.
enum class Fit { kNoPasses, kForeign, kPart, kServes };

// Judges by the second half of the passes: a trace that begins with the program has the warm-up of a JIT in the
// first. What the plan itself leaves to the heap does not speak against it.
Fit fit_of(const Replayed& one) {
  if (one.run.passes == 0) return Fit::kNoPasses;
  const planner::DryPasses& later = one.run.later;
  const auto all = static_cast<double>(later.served + later.missed);
  const auto known = static_cast<double>(later.served + later.foreseen);
  if (known < kLeastKnown * all) return Fit::kForeign;
  const Served rest = served_of(later).without_kept();
  const bool serves = rest.lesser_share() >= kWorthServing || later.missed == later.foreseen;
  return serves ? Fit::kServes : Fit::kPart;
}

void require_sound(const PlanDescription& plan, const std::string& path) {
  const planner::Verdict verdict = planner::check_plan(plan);
  if (!verdict.valid())
    throw Failure{kCheckFailed, fmt::format("{} is not sound: {}", path, verdict.sentence)};
}

bool has_workers(const PlanDescription& plan) {
  return std::any_of(plan.variants.begin(), plan.variants.end(),
                     [](const auto& variant) { return planner::is_key_of_workers(variant.pass_key); });
}

std::string reasons(const DryRun& run) {
  std::string text;
  for (const auto& [reason, count] : run.fallback)
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text;
}

// Returns true if some passes of the trace belong to the warm-up, and some do not.
bool has_warm_up(const DryRun& run) {
  const std::uint64_t steady = run.steady.served + run.steady.missed;
  return steady != 0 && steady != run.served + run.missed();
}

// Returns what the share of a trace is said of: its steady state, or all of it where it has no other passes.
Served judged(const DryRun& run) {
  return has_warm_up(run) ? served_of(run.steady) : served_of(run);
}

std::string describe(const std::string& path, const DryRun& run) {
  const auto amounts = [](const Served& served, const char* when) {
    return fmt::format("{} served{}{}", planner::served_amounts(served), when,
                       planner::shares_without_kept(served));
  };
  const std::string all = fmt::format("{}, in {} passes of which {} wholly\n", amounts(served_of(run), ""),
                                      run.passes, run.fully_served);
  std::string text = has_warm_up(run)
                         ? fmt::format("{}: {}\n  with the warm-up: {}", path,
                                       amounts(served_of(run.steady), " in the steady state"), all)
                         : fmt::format("{}: {}", path, all);
  if (run.searched > 0)
    text += fmt::format("  looked for: {} that did not come next in the plan\n", run.searched);
  if (run.missed() > 0) text += fmt::format("  to the heap: {}\n", reasons(run));
  for (const std::string& module : run.foreign)
    text += fmt::format("  not in the plan: {}, or another build of it\n", module);
  return text;
}

nlohmann::ordered_json to_json(const std::string& path, const DryRun& run) {
  const Served all = served_of(run);
  const Served steady = judged(run);
  return {{"trace", path},
          {"passes", run.passes},
          {"fully_served", run.fully_served},
          {"share", all.share()},
          {"share_of_bytes", all.share_of_bytes()},
          {"steady", {{"share", steady.share()}, {"share_of_bytes", steady.share_of_bytes()}}},
          {"served", run.served},
          {"served_bytes", run.served_bytes},
          {"searched", run.searched},
          {"fallback", run.fallback},
          {"fallback_bytes", run.fallback_bytes},
          {"foreign", run.foreign}};
}

// The judgement of a plan for these traces, and the next thing to do. The word is for programs.
struct Verdict {
  const char* word;
  std::string sentence;
  std::string next;
};

Verdict verdict_of(const std::string& plan, const std::vector<Replayed>& replayed) {
  constexpr const char* kAgain = "memomalloc profile -o new.trace -- COMMAND && memomalloc plan new.trace";
  const std::string serve = fmt::format("memomalloc serve --plan {} -- COMMAND", plan);
  if (replayed.empty()) return {"sound", "", serve};
  std::vector<Fit> fits;
  std::ranges::transform(replayed, std::back_inserter(fits), fit_of);
  switch (std::ranges::min(fits)) {
    case Fit::kNoPasses:
      return {"no passes", "verdict: a trace has no whole pass, so nothing of it could be replayed",
              "memomalloc profile --passes-by period -o new.trace -- COMMAND"};
    case Fit::kForeign:
      return {"foreign", "verdict: this plan is not of this program's passes: profile and plan again",
              kAgain};
    case Fit::kPart:
      return {"part", "verdict: the plan serves a part of these passes: plan from traces of all that occurs",
              kAgain};
    case Fit::kServes:
      break;
  }
  return {"serves", "verdict: the plan is of these passes", serve};
}

// Returns "29.60 % of the allocations", "12.00 % of the bytes", or both: those of the shares that are below.
std::string shares_below(const Served& served, double goal) {
  std::string text;
  const auto judge = [&](double share, const char* what) {
    if (100 * share < goal)
      text += fmt::format("{}{:.2f} % of the {}", text.empty() ? "" : " and ", 100 * share, what);
  };
  judge(served.share(), "allocations");
  judge(served.share_of_bytes(), "bytes");
  return text;
}

// Returns what is below the goal in the trace, or "".
std::string wanting(const Replayed& one, double goal) {
  if (one.run.passes == 0) return "no whole pass, so nothing";
  return shares_below(judged(one.run), goal);
}

// Logs each trace of which too little is served, and returns the status to exit with.
int judge(const std::vector<Replayed>& replayed, double goal) {
  int status = kOk;
  for (const Replayed& one : replayed) {
    const std::string below = wanting(one, goal);
    if (below.empty()) continue;
    spdlog::error("{}: {} would be served, and --at-least wants {:g} %", one.path, below, goal);
    status = kCheckFailed;
  }
  return status;
}

std::optional<double> goal_of(const Options& options) {
  if (!options.given("at-least")) return std::nullopt;
  if (!options.given("trace"))
    throw Failure{kUsage, "--at-least needs traces to replay: memomalloc check PLAN TRACE --at-least 95"};
  return options.percent("at-least");
}

std::vector<Replayed> replay_all(const PlanDescription& plan, const std::vector<std::string>& paths) {
  std::vector<Replayed> all;
  for (planner::Trace& trace : read_traces_as_served(paths)) all.push_back({trace.path, replay(plan, trace)});
  return all;
}

// Describes the shapes of each variant that serves more than one.
std::string describe_all_shapes(const PlanDescription& plan) {
  std::string text;
  for (std::size_t number = 0; number < plan.variants.size(); ++number)
    if (const std::string shapes = describe_shapes(plan.variants[number]); !shapes.empty())
      text += fmt::format("  variant {}: shapes: {}\n", number + 1, shapes);
  return text;
}

std::string check_text(const std::string& path, const PlanDescription& plan, bool workers,
                       const std::vector<Replayed>& replayed, const Verdict& verdict) {
  std::string text = fmt::format("{}: sound, {} {}\n", path, plan.variants.size(),
                                 plan.variants.size() == 1 ? "variant" : "variants") +
                     describe_all_shapes(plan);
  for (const Replayed& one : replayed) text += describe(one.path, one.run);
  // Workers share the work differently in each run, so replaying one run would say little.
  if (workers && !replayed.empty())
    text +=
        "  not replayed: what worker threads allocate while others run passes, which the plan serves, too\n";
  return verdict.sentence.empty() ? text : text + verdict.sentence + "\n";
}

nlohmann::ordered_json shapes_json(const PlanDescription& plan) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const planner::PlanVariantDescription& variant : plan.variants) {
    list.push_back({{"shapes", variant.shapes}});
    if (variant.range.alone != 0) list.back()["range"] = planner::range_to_json(variant.range);
  }
  return list;
}

nlohmann::ordered_json check_json(const std::string& path, const PlanDescription& plan, bool workers,
                                  const std::vector<Replayed>& replayed, const Verdict& verdict) {
  nlohmann::ordered_json json = {
      {"plan", path}, {"sound", true}, {"verdict", verdict.word}, {"traces", nlohmann::json::array()}};
  json["variants"] = shapes_json(plan);
  json["workers"] = workers ? "not replayed" : "none";
  for (const Replayed& one : replayed) json["traces"].push_back(to_json(one.path, one.run));
  return json;
}

int run_check(const Options& options) {
  const std::string path = options.text("plan");
  const std::optional<double> goal = goal_of(options);
  const PlanDescription plan = read_plan(path);
  require_sound(plan, path);
  const std::vector<Replayed> replayed = replay_all(plan, options.list("trace"));
  const Verdict verdict = verdict_of(path, replayed);
  const bool workers = has_workers(plan);
  if (options.flag("json")) {
    fmt::print("{}\n", check_json(path, plan, workers, replayed, verdict).dump(2));
  } else {
    fmt::print("{}", check_text(path, plan, workers, replayed, verdict));
  }
  const int status = goal ? judge(replayed, *goal) : kOk;
  spdlog::info("next: {}", verdict.next);
  return status;
}

}  // namespace

std::function<int()> declare_check(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "check");
  return [options] { return run_check(*options); };
}

}  // namespace memo::cli
