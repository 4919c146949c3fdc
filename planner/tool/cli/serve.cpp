// `memomalloc serve`: runs a command with a plan.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/report/served_share.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

struct ServeVerb {
  explicit ServeVerb(CLI::App& app)
      : options(app, "serve"),
        knobs(app, {GuestOptionId::kPlan, GuestOptionId::kLanes, GuestOptionId::kAside, GuestOptionId::kStats,
                    GuestOptionId::kStatsEvery, GuestOptionId::kPassesBy, GuestOptionId::kPassSymbols,
                    GuestOptionId::kScopeSymbols, GuestOptionId::kLog}) {}

  Options options;
  GuestKnobs knobs;
};

// Refuses a command line with a wrong plan. The library would warn too, but let the program run without a plan.
std::string require_plan(const GuestKnobs& knobs) {
  if (!knobs.given(GuestOptionId::kPlan))
    throw Failure{kUsage, "serve needs --plan FILE, what `memomalloc plan` made"};
  const std::string path = knobs.text(GuestOptionId::kPlan);
  static_cast<void>(read_plan(path));
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

// Reports what was served. There is nothing to report if the program was killed or had no pass.
void report(const std::string& path) {
  const std::optional<planner::ServedShare> share = planner::read_served_share(path);
  if (!share) {
    spdlog::warn("{} has no statistics: the program made no pass, or did not end by itself", path);
    return;
  }
  spdlog::info(
      "{:.0f} of {:.0f} allocations in {:.0f} passes were served from the plan ({:.2f} %); the statistics are in {}",
      share->served, share->all, share->passes, 100 * share->share(), path);
}

int run_serve(const ServeVerb& verb) {
  const std::vector<std::string> command = verb.options.list("command");
  const Environment environment = environment_of(verb.knobs);
  const std::string stats = verb.knobs.text(GuestOptionId::kStats);
  if (stats.empty() && verb.knobs.given(GuestOptionId::kStatsEvery))
    throw Failure{kUsage, "--stats-every says how often; --stats FILE has to say where"};
  if (!stats.empty()) {
    require_writable(stats, verb.options.flag("force"));
    fs::remove(stats);
  }
  const int status = run_with_library(command, environment);
  if (!stats.empty() && status != kNotFound && status != kNotExecutable) report(stats);
  return status;
}

}  // namespace

std::function<int()> declare_serve(CLI::App& app, Common&) {
  const auto verb = std::make_shared<ServeVerb>(app);
  return [verb] { return run_serve(*verb); };
}

}  // namespace memo::cli
