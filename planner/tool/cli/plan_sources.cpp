#include "planner/tool/cli/plan_sources.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/inputs.h"
#include "planner/tool/cli/solving.h"
#include "planner/trace/as_served.h"

namespace memo::cli {
namespace {

using planner::Trace;

// What is to be said of a file, once all are read: workers would say it in any order.
struct Remarks {
  std::string unreadable;  // why, or ""
  std::vector<std::string> warnings;
};

// Reads traces in several threads.
class Reading {
 public:
  Reading(const std::vector<std::string>& paths, std::string forced, planner::DistinctPasses& passes)
      : paths_(paths), forced_(std::move(forced)), passes_(passes), remarks_(paths.size()) {}

  // Each thread holds one trace at a time, so memory grows with their number.
  void run(unsigned threads, ProgressLine& line) {
    tell(line, 0);
    const std::size_t workers = std::min<std::size_t>(threads, paths_.size());
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < workers; ++i)
      others.emplace_back([this, &line] { read_until_none_is_left(line); });
    read_until_none_is_left(line);
  }

  [[nodiscard]] const std::vector<Remarks>& remarks() const { return remarks_; }
  [[nodiscard]] const WaysOfTraces& ways() const { return ways_; }
  // Returns the traces in which a period is to be searched, in an order that does not depend on that of the paths.
  [[nodiscard]] std::vector<Trace> take_unmarked() {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < unmarked_.size(); ++i)
      order.emplace_back(planner::digest_of(unmarked_[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<Trace> sorted;
    sorted.reserve(order.size());
    for (const auto& [digest, i] : order) sorted.push_back(std::move(unmarked_[i]));
    return sorted;
  }

 private:
  void read_until_none_is_left(ProgressLine& line) {
    for (std::size_t i = next_++; i < paths_.size(); i = next_++) {
      read(paths_[i], remarks_[i]);
      const std::lock_guard lock(mutex_);
      tell(line, ++done_);
    }
  }

  void tell(ProgressLine& line, std::size_t done) const {
    line.show({.done = static_cast<double>(done),
               .all = static_cast<double>(paths_.size()),
               .what = "reading the traces"});
  }

  void read(const std::string& path, Remarks& remarks) {
    try {
      accept(planner::read_trace(path), remarks);
    } catch (const planner::TraceError& error) {
      remarks.unreadable = error.what();
    } catch (const std::bad_alloc&) {
      remarks.unreadable = fmt::format("{} does not fit into memory", path);
    }
  }

  void accept(Trace trace, Remarks& remarks) {
    remarks.warnings = warnings_about(trace);
    planner::make_as_served(trace);
    keep_wanted_passes(trace, forced_);
    if (!waits_for_period(trace) && !trace.passes.empty()) passes_.take(std::move(trace));
  }

  // Keeps the trace whole, and returns true, if a period may have to be searched in it. That shows when all are read.
  bool waits_for_period(Trace& trace) {
    const std::lock_guard lock(mutex_);
    ways_.add(trace);
    if (ways_.need_a_period(forced_)) {
      unmarked_.push_back(std::move(trace));
      return true;
    }
    unmarked_.clear();
    return false;
  }

  const std::vector<std::string>& paths_;
  const std::string forced_;
  planner::DistinctPasses& passes_;
  std::atomic<std::size_t> next_{0};
  std::vector<Remarks> remarks_;  // each is written by the worker that reads the file
  std::mutex mutex_;              // guards what follows
  std::size_t done_ = 0;
  WaysOfTraces ways_;
  std::vector<Trace> unmarked_;
};

void say(const std::vector<Remarks>& all, PlanSources& sources) {
  for (const Remarks& remarks : all) {
    for (const std::string& warning : remarks.warnings) spdlog::warn("{}", warning);
    ++(remarks.unreadable.empty() ? sources.traces : sources.unreadable);
  }
  if (all.size() == 1 && sources.traces == 0) throw Failure{kInput, all.front().unreadable};
  for (const Remarks& remarks : all)
    if (!remarks.unreadable.empty()) spdlog::warn("{}; the plan is made without it", remarks.unreadable);
  if (sources.traces == 0)
    throw Failure{kInput, fmt::format("none of the {} traces can be read", all.size())};
}

}  // namespace

void read_sources(const std::vector<std::string>& paths, const Options& options, ProgressLine& line,
                  PlanSources& sources) {
  const std::string forced = wanted_passes(options.text("passes-by"));
  Reading reading(paths, forced, sources.passes);
  reading.run(thread_count(options), line);
  say(reading.remarks(), sources);
  std::vector<Trace> unmarked = reading.take_unmarked();
  line.show({.what = "looking for passes"});
  sources.by = reading.ways().need_a_period(forced)
                   ? by_period(unmarked, SolveSession(options, line).deadline())
                   : PassesBy{.way = reading.ways().chosen(forced), .anchors = {}};
  for (Trace& trace : unmarked) sources.passes.take(std::move(trace));
}

}  // namespace memo::cli
