// `memomalloc serve`: runs a command with a plan.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>

#include "planner/tool/cli/closing.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/plan_owner.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

struct ServeVerb {
  explicit ServeVerb(CLI::App& app)
      : options(app, "serve"),
        knobs(app, {GuestOptionId::kPlan, GuestOptionId::kPlanFrom, GuestOptionId::kLanes,
                    GuestOptionId::kIdleRelease, GuestOptionId::kMemoryBudget, GuestOptionId::kAtOnce,
                    GuestOptionId::kAside, GuestOptionId::kStats, GuestOptionId::kStatsEvery,
                    GuestOptionId::kPassesBy, GuestOptionId::kPassSymbols, GuestOptionId::kScopeSymbols,
                    GuestOptionId::kPython, GuestOptionId::kOrtArena, GuestOptionId::kLog}) {}

  Options options;
  GuestKnobs knobs;
};

// Refuses a command line with a wrong plan. The library would warn too, but let the program run without a plan.
std::string require_plan(const GuestKnobs& knobs) {
  if (!knobs.given(GuestOptionId::kPlan))
    throw Failure{kUsage, "serve needs --plan FILE, what `memomalloc plan` made"};
  const std::string path = knobs.text(GuestOptionId::kPlan);
  static_cast<void>(read_plan(path));
  if (!are_plans_taken_of_anyone(knobs)) require_trusted_plan(path);
  return fs::absolute(path).string();
}

Environment environment_of(const GuestKnobs& knobs) {
  Environment environment = knobs.environment();
  environment.emplace_back(guest_option(GuestOptionId::kMode).variable, "serve");
  environment.emplace_back(guest_option(GuestOptionId::kPlan).variable, require_plan(knobs));
  if (knobs.given(GuestOptionId::kStats))
    environment.emplace_back(guest_option(GuestOptionId::kStats).variable,
                             fs::absolute(knobs.text(GuestOptionId::kStats)).string());
  return environment;
}

// Warns where the program was killed before its first pass.
void warn_without(const std::string& stats) {
  std::error_code error;
  if (!fs::exists(stats, error))
    spdlog::warn("{} has no statistics: the program made no pass, or did not end by itself", stats);
}

int run_serve(const ServeVerb& verb) {
  const std::vector<std::string> command = verb.options.list("command");
  Environment environment = environment_of(verb.knobs);
  const std::string stats = verb.knobs.text(GuestOptionId::kStats);
  if (stats.empty() && verb.knobs.given(GuestOptionId::kStatsEvery))
    throw Failure{kUsage, "--stats-every says how often; --stats FILE has to say where"};
  if (!stats.empty()) make_way_for_statistics(stats);
  Closing closing(environment);
  const int status = run_with_library(command, environment);
  if (status == kNotFound || status == kNotExecutable) return status;
  closing.finish(stats, PlanStays::kYes, verb.knobs.text_or_variable(GuestOptionId::kOrtArena));
  if (!stats.empty()) warn_without(stats);
  return status;
}

}  // namespace

std::function<int()> declare_serve(CLI::App& app, Common&) {
  const auto verb = std::make_shared<ServeVerb>(app);
  return [verb] { return run_serve(*verb); };
}

}  // namespace memo::cli
