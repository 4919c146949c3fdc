// `memomalloc doctor`: tells whether serving will work on this machine with this program, and what to change.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "planner/system/mortal_folder.h"
#include "planner/tool/cli/colours.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/passes_by.h"
#include "planner/tool/doctor/caches.h"
#include "planner/tool/doctor/finding.h"
#include "planner/tool/doctor/hooks.h"
#include "planner/tool/doctor/machine.h"
#include "planner/tool/doctor/own_planners.h"
#include "planner/tool/doctor/plan_fit.h"
#include "planner/tool/doctor/program.h"
#include "planner/tool/doctor/trial_findings.h"
#include "planner/tool/learn/command_name.h"
#include "planner/tool/learn/plan_cache.h"
#include "planner/trace/trace.h"

namespace memo::cli {
namespace {

const char* name_of(doctor::Level level) {
  switch (level) {
    case doctor::Level::kFine:
      return "fine";
    case doctor::Level::kAdvice:
      return "advice";
    case doctor::Level::kFault:
      return "FAULT";
  }
  return "";
}

Colour colour_of(doctor::Level level) {
  switch (level) {
    case doctor::Level::kFine:
      return Colour::kGood;
    case doctor::Level::kAdvice:
      return Colour::kAdvice;
    case doctor::Level::kFault:
      return Colour::kBad;
  }
  return Colour::kBad;
}

std::string doctor_text(const doctor::Findings& findings) {
  std::string text;
  for (const doctor::Finding& finding : findings) {
    const std::string level = fmt::format("{:<7}", name_of(finding.level));
    text +=
        fmt::format("{} {:<11} {}\n", coloured(level, colour_of(finding.level)), finding.about, finding.text);
    if (!finding.cure.empty()) text += fmt::format("{:>19} {}\n", "mend it:", finding.cure);
  }
  return text;
}

std::string doctor_json(const doctor::Findings& findings) {
  nlohmann::ordered_json json = {
      {"works", std::ranges::count(findings, doctor::Level::kFault, &doctor::Finding::level) == 0},
      {"findings", nlohmann::ordered_json::array()}};
  for (const doctor::Finding& finding : findings)
    json["findings"].push_back(
        {{"level", finding.level == doctor::Level::kFault ? "fault" : name_of(finding.level)},
         {"about", finding.about},
         {"text", finding.text},
         {"cure", finding.cure}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

namespace fs = std::filesystem;
using doctor::Findings;
using planner::PlanDescription;

struct DoctorVerb {
  explicit DoctorVerb(CLI::App& app)
      : options(app, "doctor"),
        knobs(app, {GuestOptionId::kPlan, GuestOptionId::kLanes, GuestOptionId::kPassesBy,
                    GuestOptionId::kPassSymbols, GuestOptionId::kScopeSymbols, GuestOptionId::kPython,
                    GuestOptionId::kOrtArena}) {}

  Options options;
  GuestKnobs knobs;
};

std::optional<PlanDescription> plan_of(const DoctorVerb& verb) {
  if (!verb.knobs.given(GuestOptionId::kPlan)) return std::nullopt;
  return read_plan(verb.knobs.text(GuestOptionId::kPlan));
}

// Returns the plan that was named, or else the one that `run` keeps for the command; an empty path where there is neither.
fs::path plan_to_serve_from(const DoctorVerb& verb, const std::vector<std::string>& command) {
  if (verb.knobs.given(GuestOptionId::kPlan)) return verb.knobs.text(GuestOptionId::kPlan);
  const fs::path cache = learn::cache_folder();
  if (command.empty() || cache.empty()) return {};
  return cache / learn::plan_name(command, verb.knobs.text_or_variable(GuestOptionId::kOrtArena));
}

doctor::Demand demand_of(const PlanDescription& plan, const GuestKnobs& knobs) {
  std::uint64_t lane = 0;
  for (const planner::PlanVariantDescription& variant : plan.variants)
    lane = std::max(lane, planner::height(plan, variant));
  const std::string lanes = knobs.text(GuestOptionId::kLanes);
  try {
    return {lane, std::stoul(lanes)};
  } catch (const std::logic_error&) {
    throw Failure{kUsage, fmt::format("--lanes is \"{}\"; give a whole number, 0 or more", lanes)};
  }
}

// Returns the trace with the passes that `plan` would find.
planner::Trace with_passes(planner::Trace trace) {
  std::vector<planner::Trace> traces;
  traces.push_back(std::move(trace));
  static_cast<void>(choose_passes(traces, ""));
  return std::move(traces.front());
}

// Counts the passes of the recording, and looks at what grew. A missing trace means no pass, and an uncertain period is
// no failure here.
void look_at_recording(const fs::path& path, doctor::Seen& seen) {
  try {
    const planner::Trace trace = with_passes(planner::read_trace(path.string()));
    seen.passes = trace.passes.size();
    seen.caches = doctor::examine_caches(trace);
  } catch (const planner::TraceError&) {
    seen.passes = 0;
  } catch (const Failure&) {
    seen.passes = 0;
  }
}

Findings examine_trace(const std::string& path) {
  const planner::Trace trace = with_passes(std::move(read_traces({path}).front()));
  Findings found = doctor::examine_caches(trace);
  if (found.empty())
    found.push_back(
        {doctor::Level::kFine, "cache",
         fmt::format("in the {} passes of {} no engine's cache was seen to grow", trace.passes.size(), path),
         ""});
  return found;
}

// Tries the program in the mode that the user needs next: serve with a plan, profile without one.
doctor::Seen try_out(const DoctorVerb& verb, const std::vector<std::string>& command, double seconds) {
  const process::MortalFolder folder("doctor");
  const bool planned = verb.knobs.given(GuestOptionId::kPlan);
  doctor::Seen seen;
  seen.mode = planned ? "serve" : "profile";
  Environment environment = verb.knobs.environment();
  const auto set = [&](GuestOptionId id, const std::string& value) {
    environment.emplace_back(guest_option(id).variable, value);
  };
  const Environment injected = process::injection(library_as_named(), environment);
  environment.insert(environment.end(), injected.begin(), injected.end());
  set(GuestOptionId::kMode, seen.mode);
  set(GuestOptionId::kTrace, (folder.path() / "trace").string());
  set(GuestOptionId::kTraceLimit, "64");
  set(GuestOptionId::kStats, (folder.path() / "stats").string());
  if (planned) set(GuestOptionId::kPlan, fs::absolute(verb.knobs.text(GuestOptionId::kPlan)).string());
  seen.trial = doctor::try_out(command, environment, seconds, folder.path());
  if (!planned) look_at_recording(folder.path() / "trace", seen);
  seen.share = planner::read_served_share((folder.path() / "stats").string());
  return seen;
}

// Examines the program's file first, so that a program that cannot be served is not started.
Findings examine_command(const DoctorVerb& verb, const std::vector<std::string>& command,
                         const std::string& library, const std::optional<PlanDescription>& plan) {
  const doctor::Program program = doctor::find_program(command.front());
  Findings found = doctor::examine(program);
  if (found.front().level == doctor::Level::kFault) return found;
  const std::vector<std::string> listed = doctor::objects_of(program, library);
  std::set<std::string> objects(listed.begin(), listed.end());
  const double seconds = verb.options.seconds("trial");
  bool complete = false;
  bool ran_passes = false;  // from the plan
  bool saw_passes = false;
  if (seconds > 0) {
    const doctor::Seen seen = try_out(verb, command, seconds);
    doctor::append(found, doctor::examine(seen));
    objects.insert(seen.trial.objects.begin(), seen.trial.objects.end());
    complete = seen.trial.ended_itself;
    ran_passes = seen.share && seen.share->passes > 0;
    saw_passes = ran_passes || seen.passes > 0;
  }
  const std::vector<std::string> all(objects.begin(), objects.end());
  doctor::append(found, doctor::examine_allocators(all, library));
  doctor::append(found, doctor::examine_hooks(all, saw_passes));
  doctor::append(found, doctor::examine_own_planners(all));
  if (plan) doctor::append(found, doctor::examine_fit(*plan, all, complete, ran_passes));
  return found;
}

std::string next_step(const DoctorVerb& verb, const std::vector<std::string>& command) {
  const std::string words = command.empty() ? "COMMAND" : fmt::format("{}", fmt::join(command, " "));
  return verb.knobs.given(GuestOptionId::kPlan)
             ? fmt::format("memomalloc serve --plan {} -- {}", verb.knobs.text(GuestOptionId::kPlan), words)
             : fmt::format("memomalloc profile -- {}", words);
}

// Promises that serving will work only where passes were seen, and no advice on them or the plan is open.
const char* verdict_of(const Findings& found, const std::vector<std::string>& command) {
  const auto is_open = [](const doctor::Finding& finding) {
    return finding.level == doctor::Level::kAdvice && (finding.about == "passes" || finding.about == "plan");
  };
  if (std::ranges::any_of(found, is_open))
    return "nothing here stands against serving, but mind the advice on passes";
  return command.empty() ? "nothing here stands against serving" : "serving will work";
}

int run_doctor(const DoctorVerb& verb) {
  const std::vector<std::string> command = verb.options.list("command");
  const std::optional<PlanDescription> plan = plan_of(verb);
  const std::string library = find_library();
  Findings found = {doctor::examine_library(library)};
  doctor::append(found, doctor::examine(doctor::this_machine(),
                                        plan ? std::optional(demand_of(*plan, verb.knobs)) : std::nullopt));
  if (verb.options.given("trace")) doctor::append(found, examine_trace(verb.options.text("trace")));
  if (!command.empty()) doctor::append(found, examine_command(verb, command, library, plan));
  doctor::append(found, doctor::examine_worth(plan_to_serve_from(verb, command)));
  const auto faults = std::ranges::count(found, doctor::Level::kFault, &doctor::Finding::level);
  fmt::print("{}", verb.options.flag("json") ? doctor_json(found) : doctor_text(found));
  if (faults == 0) {
    spdlog::info("{}; next: {}", verdict_of(found, command), next_step(verb, command));
    return kOk;
  }
  spdlog::error("serving will not work before {} mended",
                faults == 1 ? "the fault is" : fmt::format("{} faults are", faults));
  return kCheckFailed;
}

}  // namespace

std::function<int()> declare_doctor(CLI::App& app, Common&) {
  const auto verb = std::make_shared<DoctorVerb>(app);
  return [verb] { return run_doctor(*verb); };
}

}  // namespace memo::cli
