// `memomalloc profile`: runs a command with the recorder and reports what was recorded.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/next_step.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/progress.h"
#include "planner/trace/pass_count.h"
#include "planner/trace/trace.h"

namespace memo::cli {
namespace {

// Says now and then how many passes a program's traces have, while it is recorded: whether it is time to end it.
class RecordingWatch {
 public:
  // `find_traces` returns the files that the program has begun by now.
  explicit RecordingWatch(std::function<std::vector<std::filesystem::path>()> find_traces);
  ~RecordingWatch();
  RecordingWatch(const RecordingWatch&) = delete;
  RecordingWatch& operator=(const RecordingWatch&) = delete;

 private:
  void watch();
  void look();

  std::function<std::vector<std::filesystem::path>()> find_traces_;
  std::map<std::filesystem::path, planner::PassCount> counts_;
  ProgressLine line_{Beside::kProgram};
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;
};

// Reading what was recorded in this time takes a few milliseconds.
constexpr std::chrono::seconds kBetweenLooks{1};

std::string describe(std::size_t passes) {
  if (passes == 0) return "recording, and no marked pass has ended";
  return fmt::format("recording, {} passes", passes);
}

RecordingWatch::RecordingWatch(std::function<std::vector<std::filesystem::path>()> find_traces)
    : find_traces_(std::move(find_traces)), thread_([this] { watch(); }) {}

RecordingWatch::~RecordingWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  thread_.join();
}

void RecordingWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!over_changed_.wait_for(lock, kBetweenLooks, [this] { return over_; })) look();
}

void RecordingWatch::look() {
  std::size_t passes = 0;
  for (const std::filesystem::path& trace : find_traces_())
    passes += counts_.try_emplace(trace, trace).first->second.look();
  line_.show({.what = describe(passes)});
}

namespace fs = std::filesystem;

struct ProfileVerb {
  ProfileVerb(CLI::App& app, Common& shared)
      : options(app, "profile"),
        knobs(app, {GuestOptionId::kTrace, GuestOptionId::kPasses, GuestOptionId::kPassSymbols,
                    GuestOptionId::kScopeSymbols, GuestOptionId::kStacks, GuestOptionId::kDataFlow,
                    GuestOptionId::kFollow, GuestOptionId::kTag, GuestOptionId::kPassesBy,
                    GuestOptionId::kRecord, GuestOptionId::kTraceLimit, GuestOptionId::kKeep,
                    GuestOptionId::kPython, GuestOptionId::kOrtArena, GuestOptionId::kLog}),
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

// The content of a trace that a plan can use.
struct Harvest {
  fs::path path;
  std::string next;  // the step that it suggests
  std::size_t passes;
  std::size_t allocations;  // in passes; without a pass, all of them
};

std::string end_of(const planner::Trace& trace) {
  return trace.stopped ? "; the recording stopped before the program did" : "";
}

std::size_t allocations_in(const planner::Trace& trace) {
  std::size_t allocations = trace.passes.empty() ? trace.outside.size() : 0;
  for (const planner::Pass& pass : trace.passes) allocations += pass.allocations.size();
  return allocations;
}

void report_trace(const planner::Trace& trace, const fs::path& path) {
  if (trace.passes.empty())
    return spdlog::info("{} allocations and no marked pass are in {}; plan looks for passes in them{}",
                        trace.outside.size(), shown(path), end_of(trace));
  spdlog::info("{} passes with {} allocations are in {}{}{}", trace.passes.size(), allocations_in(trace),
               shown(path), trace.overwritten ? ", the newest ones; older ones have given way" : "",
               end_of(trace));
}

// Returns true if the recorder records everything. A missing trace then means that the program allocated next
// to nothing, or did not end by itself.
bool records_all(const GuestKnobs& knobs) {
  return knobs.text(GuestOptionId::kPassesBy) == "period" || knobs.text(GuestOptionId::kRecord) == "all";
}

const char* why_no_trace(const GuestKnobs& knobs) {
  if (records_all(knobs))
    return "there is no trace: the library could not write one, which --log FILE says, or the program made too few "
           "allocations to look for passes in, or did not end by itself; profile a longer run";
  return "there is no trace: the library could not write one, which --log FILE says, or no pass was seen; name the function "
         "that runs a pass with --pass-symbol, mark passes with memo_pass_begin and memo_pass_end, or let `plan` look "
         "for them: --passes-by period";
}

std::optional<planner::Trace> read_if_whole(const fs::path& path) {
  try {
    return planner::read_trace(path.string());
  } catch (const planner::TraceError& error) {
    spdlog::warn("{}; was there room for it?", error.what());
    return std::nullopt;
  }
}

// Returns the trace with the most allocations: wrapper programs that were profiled too leave less than the
// program itself.
const Harvest& richest_of(const std::vector<Harvest>& all) {
  return *std::max_element(all.begin(), all.end(), [](const Harvest& one, const Harvest& other) {
    return one.allocations < other.allocations;
  });
}

// Returns the traces of a process tree in which passes recur. A parent that runs a pass or two to warm
// up leaves a trace of no use, even if a JIT made it the longest.
std::vector<const Harvest*> recurring_of(const std::vector<Harvest>& all) {
  constexpr std::size_t kFewest = 3;  // passes: the first ones warm up
  std::vector<const Harvest*> found;
  for (const Harvest& harvest : all)
    if (harvest.passes >= kFewest) found.push_back(&harvest);
  return found;
}

void report_total(const std::vector<Harvest>& all) {
  std::size_t passes = 0;
  std::size_t allocations = 0;
  for (const Harvest& harvest : all) {
    passes += harvest.passes;
    allocations += harvest.passes != 0 ? harvest.allocations : 0;
  }
  if (passes != 0)
    spdlog::info("{} passes with {} allocations are in the {} traces together", passes, allocations,
                 all.size());
}

// Reports every trace, and suggests what to plan from: with --follow all that have passes, since one plan serves
// all workers, or else one.
void report(const std::vector<fs::path>& traces, const GuestKnobs& knobs) {
  if (traces.empty()) return spdlog::warn("{}", why_no_trace(knobs));
  std::vector<Harvest> all;
  for (const fs::path& path : traces) {
    std::optional<planner::Trace> trace = read_if_whole(path);
    if (!trace) continue;
    report_trace(*trace, path);
    all.push_back({path, next_step(*trace, shown(path)), trace->passes.size(), allocations_in(*trace)});
  }
  if (all.empty()) return;
  const bool follow = knobs.text(GuestOptionId::kFollow) == "1";
  if (follow && all.size() > 1) report_total(all);
  const std::vector<const Harvest*> recurring = follow ? recurring_of(all) : std::vector<const Harvest*>();
  if (recurring.size() < 2) {
    const Harvest& best = recurring.empty() ? richest_of(all) : *recurring.front();
    return spdlog::info("{}", best.next);
  }
  std::string next;
  for (const Harvest* harvest : recurring) next += ' ' + shown(harvest->path);
  spdlog::info("next: memomalloc plan{}", next);
}

// Runs the command, and says how many passes it made by then. A trace that keeps the newest passes is written as a ring,
// and nothing in it grows.
int run_and_watch(const GuestKnobs& knobs, const std::vector<std::string>& command,
                  const Environment& environment, std::function<std::vector<fs::path>()> find_traces) {
  std::optional<RecordingWatch> watch;
  if (knobs.text(GuestOptionId::kKeep) != "newest") watch.emplace(std::move(find_traces));
  return run_with_library(command, environment);
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
  const int status =
      run_and_watch(verb.knobs, command, environment, [&] { return new_traces(pattern, before); });
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
