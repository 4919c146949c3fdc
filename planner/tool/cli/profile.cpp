// `memomalloc profile`: runs a command with the recorder and reports what was recorded.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "planner/trace/trace.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileVerb {
  ProfileVerb(CLI::App& app, Common& shared)
      : options(app, "profile"),
        knobs(app, {GuestOptionId::kTrace, GuestOptionId::kPasses, GuestOptionId::kPassSymbols,
                    GuestOptionId::kScopeSymbols, GuestOptionId::kStacks, GuestOptionId::kFollow,
                    GuestOptionId::kTag, GuestOptionId::kPassesBy, GuestOptionId::kRecord,
                    GuestOptionId::kTraceLimit, GuestOptionId::kKeep, GuestOptionId::kLog}),
        common(shared) {}

  Options options;
  GuestKnobs knobs;
  Common& common;
};

// Returns the pattern as an absolute path, because the program may change its working directory. The library
// replaces %c and %p.
fs::path trace_pattern(const GuestKnobs& knobs) {
  return fs::absolute(knobs.text(GuestOptionId::kTrace));
}

// Returns true if the library could have made the name from the pattern. A dot and a number may follow.
bool is_made_from(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) {
    return name.empty() ||
           (name[0] == '.' && name.find_first_not_of("0123456789", 1) == std::string_view::npos);
  }
  if (pattern.starts_with("%c") || pattern.starts_with("%p")) {
    for (std::size_t taken = 1; taken <= name.size(); ++taken) {
      if (is_made_from(pattern.substr(2), name.substr(taken))) return true;
    }
    return false;
  }
  return !name.empty() && name[0] == pattern[0] && is_made_from(pattern.substr(1), name.substr(1));
}

std::set<fs::path> traces_of(const fs::path& pattern) {
  std::set<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(pattern.parent_path(), error)) {
    if (is_made_from(pattern.filename().string(), entry.path().filename().string()))
      found.insert(entry.path());
  }
  return found;
}

std::vector<fs::path> new_traces(const fs::path& pattern, const std::set<fs::path>& before) {
  std::vector<fs::path> fresh;
  const std::set<fs::path> after = traces_of(pattern);
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(fresh));
  return fresh;
}

std::string shown(const fs::path& path) {
  const fs::path relative = path.lexically_relative(fs::current_path());
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

// Returns the number of allocations that a plan could be made from.
std::size_t report_trace(const fs::path& path) {
  const planner::Trace trace = planner::read_trace(path.string());
  if (trace.passes.empty()) {
    spdlog::info("{} allocations and no marked pass are in {}; plan looks for passes in them{}",
                 trace.outside.size(), shown(path),
                 trace.stopped ? "; the recording stopped before the program did" : "");
    return trace.outside.size();
  }
  std::size_t allocations = 0;
  for (const planner::Pass& pass : trace.passes) allocations += pass.allocations.size();
  spdlog::info("{} passes with {} allocations are in {}{}{}", trace.passes.size(), allocations, shown(path),
               trace.overwritten ? ", the newest ones; older ones have given way" : "",
               trace.stopped ? "; the recording stopped before the program did" : "");
  return allocations;
}

// Returns true if the recorder records everything. A missing trace then means that the program allocated next
// to nothing, or did not end by itself.
bool records_all(const GuestKnobs& knobs) {
  return knobs.text(GuestOptionId::kPassesBy) == "period" || knobs.text(GuestOptionId::kRecord) == "all";
}

const char* why_no_trace(const GuestKnobs& knobs) {
  if (records_all(knobs))
    return "the program made too few allocations to look for passes in, or did not end by itself, so there is no trace; "
           "profile a longer run";
  return "no pass was seen, so there is no trace; name the function that runs a pass with --pass-symbol, mark passes with "
         "memo_pass_begin and memo_pass_end, or let `plan` look for them: --passes-by period";
}

// Reports every trace, and suggests the one with the most allocations: wrapper programs that were profiled too
// leave less than the program itself.
void report(const std::vector<fs::path>& traces, const GuestKnobs& knobs) {
  if (traces.empty()) return spdlog::warn("{}", why_no_trace(knobs));
  std::size_t most = 0;
  const fs::path* richest = &traces.front();
  for (const fs::path& path : traces) {
    const std::size_t allocations = report_trace(path);
    if (allocations > most) richest = &path;
    most = std::max(most, allocations);
  }
  spdlog::info("next: memomalloc plan {}", shown(*richest));
}

int run_profile(const ProfileVerb& verb) {
  const std::vector<std::string> command = verb.options.list("command");
  if (command.empty()) throw Failure{kUsage, "profile needs a command to run: memomalloc profile -- COMMAND"};
  const fs::path pattern = trace_pattern(verb.knobs);
  require_writable(pattern.string(), verb.options.flag("force"));
  fs::remove(pattern);
  const std::set<fs::path> before = traces_of(pattern);
  Environment environment = verb.knobs.environment();
  environment.emplace_back(guest_option(GuestOptionId::kMode).variable, "profile");
  environment.emplace_back(guest_option(GuestOptionId::kTrace).variable, pattern.string());
  const int status = run_with_library(command, environment);
  const std::vector<fs::path> traces = new_traces(pattern, before);
  const bool never_ran = traces.empty() && (status == kNotFound || status == kNotExecutable);
  if (!never_ran) report(traces, verb.knobs);
  return status;
}

}  // namespace

std::function<int()> declare_profile(CLI::App& app, Common& common) {
  const auto verb = std::make_shared<ProfileVerb>(app, common);
  return [verb] { return run_profile(*verb); };
}

}  // namespace memo::cli
