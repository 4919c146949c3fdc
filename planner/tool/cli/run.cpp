// `memomalloc run`: runs a command, learns its passes while it runs, and serves them from then on.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/system/on_path.h"
#include "planner/system/temporary_folder.h"
#include "planner/tool/cli/closing.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/finish.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/plan_owner.h"
#include "planner/tool/cli/replay.h"
#include "planner/tool/learn/command_name.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/learner.h"
#include "planner/tool/learn/plan_cache.h"
#include "planner/tool/learn/verdict.h"
#include "planner/tool/learn/work_folder.h"
#include "planner/tool/served/served.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;
using planner::DryRun;

struct Replayed {
  std::vector<DryRun> runs;
  planner::Served served;

  void add(const DryRun& run) {
    runs.push_back(run);
    served += served_of(run);
  }
};

// Replays one trace. Warns of a trace that cannot be read, and leaves it out.
void replay_into(Replayed& all, const fs::path& path, const planner::PlanDescription& plan) {
  try {
    std::vector<planner::Trace> traces = read_traces_as_served({path.string()});
    all.add(replay(plan, traces.front()));
  } catch (const Failure& failure) {
    spdlog::warn("{}", failure.message);
  }
}

Replayed replay_all(const std::vector<fs::path>& traces, const planner::PlanDescription& plan) {
  Replayed all;
  for (const fs::path& trace : traces) replay_into(all, trace, plan);
  return all;
}

void write(const std::string& path, const Replayed& replayed, const std::string& plan) {
  if (!path.empty()) write_output(path, statistics_of(replayed.runs, plan).dump() + "\n");
}

// Reports how much of the recorded passes the plan would have served. Replays those that were recorded after the plan was made,
// if there are any: they say more about a plan than those that it was made from. Prints one line, and writes the statistics
// that a served run would have written, unless `statistics` is "".
void report_dry_run(const fs::path& work, const fs::path& plan, const std::string& statistics) {
  std::error_code error;
  if (!fs::exists(plan, error)) {
    spdlog::info("dry run: no pass was recorded twice alike; nothing would have been served");
    return write(statistics, {}, "");
  }
  const planner::PlanDescription description = read_plan(plan.string());
  Replayed replayed = replay_all(learn::traces_in(work), description);
  const bool later = replayed.served.passes != 0;
  if (!later) replayed = replay_all(learn::KeptTraces(plan).all(), description);
  spdlog::info(
      "dry run: {} would have been served, in {} passes {}", planner::served_amounts(replayed.served),
      replayed.served.passes,
      later ? "recorded after the plan was made" : "that the plan was made from: run it longer for others");
  write(statistics, replayed, plan.string());
}

// MiB, about a million allocations. The newest passes replace the oldest.
constexpr const char* kTraceMebibytes = "64";

struct RunVerb {
  explicit RunVerb(CLI::App& app)
      : options(app, "run"),
        knobs(app, {GuestOptionId::kPlanFrom, GuestOptionId::kLanes, GuestOptionId::kIdleRelease,
                    GuestOptionId::kMemoryBudget, GuestOptionId::kAtOnce, GuestOptionId::kAside,
                    GuestOptionId::kStats, GuestOptionId::kStatsEvery, GuestOptionId::kPassesBy,
                    GuestOptionId::kPassSymbols, GuestOptionId::kScopeSymbols, GuestOptionId::kPython,
                    GuestOptionId::kOrtArena, GuestOptionId::kLog}) {}

  Options options;
  GuestKnobs knobs;
};

std::optional<process::TemporaryFolder> try_folder_in(const fs::path& parent) {
  try {
    return std::optional<process::TemporaryFolder>(std::in_place, "run", parent);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

bool can_hold_folders(const fs::path& parent) {
  return try_folder_in(parent).has_value();
}

fs::path folder_of_temporary_files() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

// Returns true if the cache is not to be used, since any user may have put a plan there.
bool is_cache_of_everybody(const fs::path& cache, const GuestKnobs& knobs) {
  if (!is_folder_of_everybody(cache) || are_plans_taken_of_anyone(knobs)) return false;
  spdlog::warn(
      "everybody may write to the cache {}: what is learned is forgotten at the end; chmod o-w {}, or name "
      "--plan-from anyone",
      cache.string(), cache.string());
  return true;
}

// Returns the cache folder if it can be written to, and not by everybody. Otherwise returns the folder for temporary files, with a
// warning.
fs::path folder_for_plans(bool keep, const GuestKnobs& knobs) {
  if (!keep) return folder_of_temporary_files();
  fs::path cache = learn::cache_folder();
  if (cache.empty()) {
    spdlog::warn(
        "neither HOME nor XDG_CACHE_HOME names a folder for plans: what is learned is forgotten at the end");
    return folder_of_temporary_files();
  }
  std::error_code error;
  if (fs::create_directories(cache, error))  // whatever the umask is
    fs::permissions(cache, fs::perms::others_write, fs::perm_options::remove, error);
  if (is_cache_of_everybody(cache, knobs)) return folder_of_temporary_files();
  if (!error && can_hold_folders(cache)) return cache;
  spdlog::warn("cannot write to {}: what is learned is forgotten at the end", cache.string());
  return folder_of_temporary_files();
}

Environment environment_of(const RunVerb& verb, const fs::path& work, const fs::path& plan) {
  Environment environment = verb.knobs.environment();
  const auto set = [&](GuestOptionId id, const std::string& value) {
    environment.emplace_back(guest_option(id).variable, value);
  };
  set(GuestOptionId::kMode, "auto");
  set(GuestOptionId::kTrace, (work / "%c.%p.trace").string());
  set(GuestOptionId::kTraceLimit, kTraceMebibytes);
  set(GuestOptionId::kKeep, "newest");
  set(GuestOptionId::kProgram, learn::named_files(verb.options.list("command")));
  if (verb.options.flag("dry-run")) return environment;  // without a plan, the library records now and then
  set(GuestOptionId::kPlan, plan.string());
  if (verb.options.flag("once")) set(GuestOptionId::kLearn, "once");
  if (verb.knobs.given(GuestOptionId::kStats))
    set(GuestOptionId::kStats, fs::absolute(verb.knobs.text(GuestOptionId::kStats)).string());
  return environment;
}

// Returns the options that say where passes begin, as one text.
std::string conditions_of(const RunVerb& verb) {
  std::string text;
  for (const GuestOptionId id :
       {GuestOptionId::kPassesBy, GuestOptionId::kPassSymbols, GuestOptionId::kScopeSymbols,
        GuestOptionId::kPython, GuestOptionId::kOrtArena})
    text += fmt::format("{}={};", guest_option(id).variable, verb.knobs.text_or_variable(id));
  return text;
}

// Returns for how long a plan may be finished after a program that ran for so long: a user does not wait for 6 s after 0.7 s unless
// asked to. A dry run is about nothing but the plan.
std::chrono::milliseconds time_to_finish_after(std::chrono::steady_clock::duration ran,
                                               const Options& options) {
  constexpr int kShare = 4;
  const std::chrono::milliseconds most = time_to_finish(options);
  if (options.given("finish") || options.flag("dry-run")) return most;
  return std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(ran / kShare),
                    std::chrono::milliseconds{1}, most);
}

int run_in_mode_off(const RunVerb& verb, const std::vector<std::string>& command) {
  Environment environment = verb.knobs.environment();
  environment.emplace_back(guest_option(GuestOptionId::kMode).variable, "off");
  return run_with_library(command, environment);
}

// Runs the command without recording it, since nothing was learned of it before.
int run_unlearned(const RunVerb& verb, const std::vector<std::string>& command, const fs::path& plan,
                  const learn::Verdict& verdict) {
  spdlog::info(
      "nothing was learned of this command at {}: this start is not recorded; one after `memomalloc cache clear {}` is",
      verdict.record.made, plan.filename().string());
  spdlog::info("{}", verdict.why);
  return run_in_mode_off(verb, command);
}

int run_learning(const RunVerb& verb, const std::vector<std::string>& command, const fs::path& work,
                 const fs::path& plan) {
  const bool dry = verb.options.flag("dry-run");
  const bool once = dry || verb.options.flag("once");
  const auto say = [](const std::string& line) { spdlog::info("{}", line); };
  const bool there = learn::has_current_plan(plan, say);
  const bool kept = plan.parent_path() != work;
  const std::string conditions = conditions_of(verb);
  if (!there && !dry && kept)
    if (const auto verdict = learn::verdict_for_start(plan, learn::origin_of(command), conditions))
      return run_unlearned(verb, command, plan, *verdict);
  if (there && !dry) {
    say(fmt::format("serving from {}", plan.string()));
    learn::record_use(plan, learn::origin_of(command));
  }
  if (!there) say(fmt::format("learning the passes of {}", learn::short_form(command)));
  std::optional<learn::Learner> learner;
  if (!there || !once)
    learner.emplace(learn::Lesson{process::own_program(), command.front(), work, plan, once, dry, say,
                                  learn::origin_of(command),
                                  kept ? std::optional(conditions) : std::nullopt});
  Environment environment = environment_of(verb, work, plan);
  Closing closing(environment);
  const auto begun = std::chrono::steady_clock::now();
  const int status = run_with_library(command, environment);
  const auto ran = std::chrono::steady_clock::now() - begun;
  if (status != kNotFound && status != kNotExecutable)
    closing.finish(verb.knobs.text(GuestOptionId::kStats), kept ? PlanStays::kYes : PlanStays::kNo,
                   verb.knobs.text_or_variable(GuestOptionId::kOrtArena));
  if (learner) finish_plan(*learner, time_to_finish_after(ran, verb.options));
  learner.reset();
  if (dry) report_dry_run(work, plan, verb.knobs.text(GuestOptionId::kStats));
  return status;
}

int run_run(const RunVerb& verb) {
  const std::vector<std::string> command = verb.options.list("command");
  const bool keep = !verb.options.flag("no-cache");
  if (verb.knobs.given(GuestOptionId::kStats))
    make_way_for_statistics(verb.knobs.text(GuestOptionId::kStats));
  const fs::path folder = folder_for_plans(keep, verb.knobs);
  const std::optional<process::TemporaryFolder> work = try_folder_in(folder);
  if (!work) {
    spdlog::warn("cannot make a folder in {}: nothing is learned; set TMPDIR to one that can be written to",
                 folder.string());
    return run_in_mode_off(verb, command);
  }
  const bool kept = keep && folder == learn::cache_folder();
  const std::string name = learn::plan_name(command, verb.knobs.text_or_variable(GuestOptionId::kOrtArena));
  return run_learning(verb, command, work->path(), (kept ? folder : work->path()) / name);
}

}  // namespace

std::function<int()> declare_run(CLI::App& app, Common&) {
  const auto verb = std::make_shared<RunVerb>(app);
  return [verb] { return run_run(*verb); };
}

}  // namespace memo::cli
