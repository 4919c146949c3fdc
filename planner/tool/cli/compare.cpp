// `memomalloc compare`: runs a command under every allocator, side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <sstream>
#include <string>

#include "planner/system/mortal_folder.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/compare_report.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/progress.h"
#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/chart.h"
#include "planner/tool/compare/comparison.h"
#include "planner/tool/compare/machine.h"
#include "planner/tool/compare/named_library.h"

namespace memo::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string allocators_text() {
  std::string text;
  for (const compare::Allocator& allocator : compare::all_allocators()) {
    const std::string_view missing = compare::is_installed(allocator) ? "" : ", which is not installed";
    text += fmt::format("{:<18} {}{}{}{}\n", allocator.name, allocator.package, missing,
                        allocator.settings.empty() ? "" : ": ", compare::settings_text(allocator));
  }
  return text;
}

Json allocators_json() {
  Json rows = Json::array();
  for (const compare::Allocator& allocator : compare::all_allocators()) {
    Json settings = Json::object();
    for (const auto& [name, value] : allocator.settings) settings[name] = value;
    rows.push_back({{"name", allocator.name},
                    {"library", allocator.library},
                    {"settings", settings},
                    {"package", allocator.package},
                    {"installed", compare::is_installed(allocator)}});
  }
  return {{"allocators", rows}};
}

namespace fs = std::filesystem;

constexpr std::size_t kMostAsks = 4096;  // lines; the lines of one turn must fit into a socket's buffer

struct CompareVerb {
  explicit CompareVerb(CLI::App& app)
      : options(app, "compare"),
        knobs(app, {GuestOptionId::kPlan, GuestOptionId::kLanes, GuestOptionId::kIdleRelease,
                    GuestOptionId::kMemoryBudget, GuestOptionId::kAtOnce, GuestOptionId::kAside,
                    GuestOptionId::kPasses, GuestOptionId::kPassesBy, GuestOptionId::kPassSymbols,
                    GuestOptionId::kScopeSymbols, GuestOptionId::kOrtArena}) {}

  Options options;
  GuestKnobs knobs;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

std::vector<std::string> usual_names() {
  std::vector<std::string> names;
  for (const compare::Allocator& row : compare::all_allocators())
    if (row.compared == compare::Compared::kUsually) names.push_back(row.name);
  return names;
}

// Returns the names in the list, with those of the usual allocators in the place of "usual".
std::vector<std::string> names_in(const std::string& list) {
  constexpr const char* kUsual = "usual";
  std::vector<std::string> names = split(list.empty() ? kUsual : list);
  if (std::erase(names, kUsual) > 0) {
    const std::vector<std::string> usual = usual_names();
    names.insert(names.end(), usual.begin(), usual.end());
  }
  return names;
}

// Reads the allocators that the user brings. A name must tell its row from all others.
void add_named_libraries(const std::vector<std::string>& texts, std::vector<compare::Allocator>& allocators) {
  std::set<std::string> taken = {"profile"};
  for (const compare::Allocator& row : compare::all_allocators()) taken.insert(row.name);
  for (const std::string& text : texts) {
    allocators.push_back(compare::named_library(text));
    if (!taken.insert(allocators.back().name).second)
      throw std::invalid_argument(fmt::format(
          "--allocator \"{}\" takes the name of another allocator; give it one of its own", text));
  }
}

std::vector<compare::Allocator> allocators_asked_for(const Options& options) {
  try {
    std::vector<compare::Allocator> wanted = compare::allocators_named(names_in(options.text("allocators")));
    add_named_libraries(options.list("allocator"), wanted);
    return wanted;
  } catch (const std::invalid_argument& error) {
    throw Failure{kUsage, error.what()};
  }
}

// Returns why the allocator cannot be compared, with the cure; "" if it can.
std::string obstacle_of(const compare::Allocator& allocator, const fs::path& folder) {
  if (!compare::is_installed(allocator))
    return fmt::format("the loader does not find {}; it is in the package {}", allocator.library,
                       allocator.package);
  const std::string failure = compare::preload_failure(allocator, folder);
  if (failure.empty()) return "";
  return fmt::format("the loader cannot preload {}: {}; take a build for this system", allocator.library,
                     failure);
}

// Leaves out those of the table that are not there. What the user brings must work.
std::vector<compare::Allocator> allocators_to_compare(const Options& options, const fs::path& folder) {
  std::vector<compare::Allocator> wanted = allocators_asked_for(options);
  std::erase_if(wanted, [&](const compare::Allocator& allocator) {
    const std::string obstacle = obstacle_of(allocator, folder);
    if (obstacle.empty()) return false;
    if (allocator.package.empty()) throw Failure{kUsage, fmt::format("{}: {}", allocator.name, obstacle)};
    spdlog::warn("{} is left out: {}", allocator.name, obstacle);
    return true;
  });
  if (wanted.empty()) throw Failure{kUsage, "none of these allocators is installed"};
  return wanted;
}

bool serves(const compare::Setup& setup) {
  return std::ranges::find(setup.allocators, compare::kServe, &compare::Allocator::name) !=
         setup.allocators.end();
}

// Reports a failed run with what the program printed on stderr. Returns the program's status, which this
// command passes through.
[[nodiscard]] int explain(std::string_view allocator, const compare::MeasuredRun& run) {
  spdlog::error("under {} the command exited with {}{}{}", allocator, run.status,
                run.errors.empty() ? "" : "; it said: ", run.errors);
  return run.status;
}

// Profiles one run of the program, and plans it with the verb `plan` of this executable.
std::string make_plan(const compare::Setup& setup, const Environment& knobs, ProgressLine& line) {
  const fs::path trace = setup.folder / "compare.trace";
  const fs::path plan = setup.folder / "compare.plan";
  spdlog::info("no --plan: profiling one run");
  line.show({.what = "profiling one run"});
  const compare::Allocator profiled{"profile", setup.library, {{"MEMOMALLOC_MODE", "profile"}}, ""};
  process::Command command = compare::under(profiled, setup.workload.words);
  command.set.insert(command.set.end(), knobs.begin(), knobs.end());
  command.set.emplace_back(guest_option(GuestOptionId::kTrace).variable, trace.string());
  compare::MeasuredRun run = compare::run_alone(setup, command);
  if (run.status != 0) throw compare::FailedRun{"profile", std::move(run)};
  if (!fs::exists(trace))
    throw Failure{kNoPlan,
                  "no pass was seen, so there is nothing to plan; name the function that runs a pass with "
                  "--pass-symbol, or leave `serve` out of --allocators"};
  line.show({.what = "planning"});
  const process::Command planning{{"/proc/self/exe", "plan", "-q", "-o", plan.string(), trace.string()},
                                  {},
                                  {},
                                  setup.folder / "plan.output",
                                  {}};
  if (process::wait_for(process::start(planning)) != 0)
    throw Failure{kNoPlan, "the trace could not be planned"};
  return plan.string();
}

std::string plan_of(const CompareVerb& verb, const compare::Setup& setup, ProgressLine& line) {
  if (!verb.knobs.given(GuestOptionId::kPlan)) return make_plan(setup, verb.knobs.environment(), line);
  const std::string path = verb.knobs.text(GuestOptionId::kPlan);
  static_cast<void>(read_plan(path));
  return fs::absolute(path).string();
}

void prepare_serving(const CompareVerb& verb, compare::Setup& setup, ProgressLine& line) {
  setup.when_serving = verb.knobs.environment();
  std::erase_if(setup.when_serving,
                [](const auto& pair) { return pair.first == guest_option(GuestOptionId::kPlan).variable; });
  setup.when_serving.emplace_back(guest_option(GuestOptionId::kPlan).variable, plan_of(verb, setup, line));
  setup.when_serving.emplace_back(guest_option(GuestOptionId::kStats).variable,
                                  (setup.folder / "stats").string());
}

compare::Turns turns_of(const Options& options) {
  compare::Turns turns;
  turns.asks = static_cast<std::size_t>(options.number("in-turn"));
  turns.count = static_cast<std::size_t>(options.number("turns"));
  turns.warm_up = static_cast<std::size_t>(options.number("warmup"));
  if (turns.asks > kMostAsks || turns.warm_up > kMostAsks)
    throw Failure{
        kUsage, fmt::format("--in-turn and --warmup take at most {} lines, which a program may leave unread",
                            kMostAsks)};
  if (turns.wanted() && turns.count == 0)
    throw Failure{kUsage, "--turns 0 measures nothing; it takes 1 or more"};
  if (turns.wanted() && !options.text("client").empty())
    throw Failure{
        kUsage,
        "--in-turn asks the command itself, and there is nothing for the --client to do; take one of them"};
  return turns;
}

compare::Setup setup_of(const CompareVerb& verb, const fs::path& folder) {
  compare::Setup setup;
  setup.workload = {verb.options.list("command"), verb.options.text("client")};
  if (setup.workload.words.empty())
    throw Failure{kUsage, "compare needs a command to run: memomalloc compare -- COMMAND"};
  setup.runs = static_cast<std::size_t>(verb.options.number("runs"));
  if (setup.runs == 0) throw Failure{kUsage, "--runs 0 compares nothing; it takes 1 or more"};
  setup.turns = turns_of(verb.options);
  setup.allocators = allocators_to_compare(verb.options, folder);
  setup.library = find_library();
  setup.folder = folder;
  return setup;
}

void show(const CompareVerb& verb, const CompareReport& report) {
  const std::string picture = verb.options.text("output");
  if (!picture.empty()) {
    write_output(picture,
                 compare::chart_svg(report.comparison, fmt::format("{}", fmt::join(report.command, " "))));
    spdlog::info("the picture is in {}", picture);
  }
  if (verb.options.flag("json")) {
    std::cout << compare_json(report).dump(2) << '\n';
  } else {
    std::cout << compare_text(report);
  }
}

int list_allocators(const Options& options) {
  std::cout << (options.flag("json") ? allocators_json().dump(2) + '\n' : allocators_text());
  return kOk;
}

// Measures every allocator, and shows how far that is.
compare::Comparison measure(const CompareVerb& verb, compare::Setup& setup) {
  ProgressLine line;
  if (serves(setup)) prepare_serving(verb, setup, line);
  return compare::compare(setup, [&](const progress::State& state) { line.show(state); });
}

int run_compare(const CompareVerb& verb) {
  if (verb.options.flag("list-allocators")) return list_allocators(verb.options);
  if (const std::string picture = verb.options.text("output"); !picture.empty())
    require_writable(picture, verb.options.flag("force"));
  const process::MortalFolder folder("compare");
  compare::Setup setup = setup_of(verb, folder.path());
  const auto machine = compare::describe_machine();
  try {
    const compare::Comparison comparison = measure(verb, setup);
    show(verb,
         {comparison, setup.workload.words, machine, planner::read_served_share(setup.folder / "stats")});
    return comparison.same_answers ? kOk : kCheckFailed;
  } catch (const compare::FailedRun& failed) {
    return explain(failed.allocator, failed.run);
  }
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app, Common&) {
  const auto verb = std::make_shared<CompareVerb>(app);
  return [verb] { return run_compare(*verb); };
}

}  // namespace memo::cli
