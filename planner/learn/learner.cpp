#include "planner/learn/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "planner/process/child.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

// A trace is looked at again after as long as it took to be worth it the first time, twice as long the next.
constexpr std::chrono::milliseconds kFirstLook{500};
constexpr std::chrono::milliseconds kLongestWait{30'000};

std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<fs::path> traces;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".trace") traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end());
  return traces;
}

}  // namespace

Learner::Learner(Lesson lesson) : lesson_(std::move(lesson)), thread_([this] { work(); }) {}

Learner::~Learner() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

bool Learner::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !ended_.wait_for(lock, time, [this] { return over_; });
}

void Learner::work() {
  for (std::chrono::milliseconds pause = kFirstLook; wait(pause); pause = std::min(2 * pause, kLongestWait)) {
    std::error_code error;
    if (fs::exists(lesson_.plan, error)) return lesson_.say("somebody else's plan is there");
    if (make_plan() || planner_missing_) return;
  }
}

// The server's trace is not the only one: its wrappers may have left some, too.
bool Learner::make_plan() {
  const std::vector<fs::path> traces = traces_in(lesson_.work);
  return std::any_of(traces.begin(), traces.end(),
                     [this](const fs::path& trace) { return plan_from(trace); });
}

bool Learner::plan_from(const fs::path& trace) {
  const fs::path made = lesson_.work / "made.plan";
  const process::Command command{
      {"nice", "-n", "19", lesson_.planner.string(), "plan", "-q", "--steady", "--threads", "1", "--timeout",
       "2s", "--force", "-o", made.string(), trace.string()},
      {},
      {"LD_PRELOAD"},
      (lesson_.work / "planner.out").string(),
      (lesson_.work / "planner.err").string()};
  const process::Child child = process::start(command);
  const int status = process::wait_for(child);
  if (status == process::kNotFound || status == process::kNotExecutable) {
    planner_missing_ = true;
    lesson_.say(fmt::format("cannot run {}: nothing is planned, and the program runs on as it is",
                            lesson_.planner.string()));
  }
  if (status != 0) return false;
  std::error_code error;
  fs::rename(made, lesson_.plan, error);
  if (error)
    lesson_.say(fmt::format("cannot keep the plan at {}: {}", lesson_.plan.string(), error.message()));
  else
    lesson_.say(fmt::format("planned; serving from {} from the next pass on", lesson_.plan.string()));
  return true;
}

}  // namespace memo::learn
