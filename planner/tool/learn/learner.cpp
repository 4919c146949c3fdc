#include "planner/tool/learn/learner.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "planner/system/last_of_all.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMade = "made.plan";
constexpr const char* kOutput = "planner.out";
constexpr const char* kErrors = "planner.err";
constexpr const char* kPlanOfNoCache = "the.plan";  // the same name as in preload/modes/auto/own_planner.cpp

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr std::chrono::milliseconds kNoTime{0};
constexpr std::chrono::milliseconds kLongestPause{30'000};  // between looks at a trace of no use so far

// Returns true if the file is a trace. The names of later traces end in a dot and a number.
bool is_trace(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().filename().string().find(".trace") != std::string::npos && entry.is_regular_file(error);
}

// Waits for the end of the child and leaves its status to be collected.
void wait_for_end(const process::Child& child) {
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(child.id), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

std::vector<fs::path> traces_in(const fs::path& work) {
  std::vector<fs::path> traces;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(work, error))
    if (is_trace(entry)) traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end());
  return traces;
}

void clear_work_folder(const fs::path& work) {
  std::error_code error;
  for (const fs::path& trace : traces_in(work)) fs::remove(trace, error);
  for (const char* made : {kMade, kOutput, kErrors, kPlanOfNoCache}) fs::remove(work / made, error);
  KeptTraces(work / kPlanOfNoCache).forget();
  fs::remove(work, error);
}

Learner::Learner(Lesson lesson)
    : lesson_(std::move(lesson)),
      kept_(lesson_.plan),
      made_(lesson_.work / kMade),
      planned_(is_there(lesson_.plan)),
      thread_([this] { work(); }) {}

Learner::~Learner() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    if (planner_ != 0) kill(planner_, SIGKILL);
  }
  ended_.notify_all();
  thread_.join();
}

bool Learner::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !ended_.wait_for(lock, time, [this] { return over_; });
}

void Learner::work() {
  while (!done_ && wait(kBetweenLooks)) {
    if (!planned_ && is_there(lesson_.plan)) {
      leave_to_others();
    } else {
      look_at_traces();
    }
  }
}

// Leaves the plan to another server that shares the cache and has made one first.
void Learner::leave_to_others() {
  planned_ = true;
  done_ = lesson_.once;
  lesson_.say("somebody else's plan is there");
  std::error_code error;
  for (const fs::path& trace : traces_in(lesson_.work)) fs::remove(trace, error);
}

// Tries every trace: besides the server, its wrapper programs may have left some.
void Learner::look_at_traces() {
  for (const fs::path& trace : traces_in(lesson_.work)) {
    if (!is_worth_a_look(trace) || !learn_from(trace)) continue;
    planned_ = true;
    done_ = lesson_.once;
    return;
  }
}

bool Learner::is_worth_a_look(const fs::path& trace) {
  const auto [found, fresh] = looks_.try_emplace(trace);
  Look& look = found->second;
  if (fresh && planned_) lesson_.say("the passes do not match the plan any more; learning again");
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(trace, error);
  const Clock::time_point now = Clock::now();
  if (written == look.last || now < look.due) return false;
  look.last = written;
  look.pause = std::clamp(2 * look.pause, kBetweenLooks, kLongestPause);
  look.due = now + look.pause;
  return true;
}

// Plans from the trace alone, and then from it and the kept traces together. If planning all of them together
// fails, publishes the plan of the new trace alone and deletes the kept ones, which are of no use any more.
bool Learner::learn_from(const fs::path& trace) {
  if (!plan_from({trace})) return false;
  std::vector<fs::path> together = kept_.all();
  if (!together.empty()) {
    together.push_back(trace);
    if (!plan_from(together)) {
      // A planner that could not start or was killed says nothing about the traces.
      if (done_ || !wait(kNoTime)) return false;
      kept_.forget();
    }
  }
  if (!publish()) return true;
  kept_.keep(trace);
  looks_.erase(trace);
  return true;
}

bool Learner::plan_from(const std::vector<fs::path>& traces) {
  process::Command command;
  command.words = {lesson_.planner.string(),
                   "plan",
                   "-q",
                   "--steady",
                   "--threads",
                   "1",
                   "--timeout",
                   "2s",
                   "--force",
                   "-o",
                   made_.string()};
  for (const fs::path& trace : traces) command.words.push_back(trace.string());
  command.unset = {"LD_PRELOAD"};
  command.output = (lesson_.work / kOutput).string();
  command.errors = (lesson_.work / kErrors).string();
  const int status = run_planner(command);
  if (status == process::kNotFound || status == process::kNotExecutable) {
    done_ = true;
    lesson_.say(fmt::format("cannot run {}: nothing is planned, and the program runs on as it is",
                            lesson_.planner.string()));
  }
  return status == 0;
}

// Starts the planner. Returns false if the program has ended. The destructor may kill the process id under this
// lock, since the id is not reused before the child is waited for.
bool Learner::start_planner(const process::Command& command, process::Child* child) {
  const std::lock_guard lock(mutex_);
  if (over_) return false;
  *child = process::start(command);
  planner_ = child->id;
  return true;
}

// Runs the planner to its end. If it starves at the lowest priority, starts it again with the usual priority:
// any process may lower a priority, but few may raise one. Little work is lost, because the first run had next
// to no processor time.
int Learner::run_planner(process::Command command) {
  for (;;) {
    command.last_of_all = !starved_;
    process::Child child;
    if (!start_planner(command, &child)) return -1;
    if (starved_) wait_for_end(child);
    const bool ended = starved_ || process::ends_without_starving(child);
    if (!ended) kill(child.id, SIGKILL);
    const std::lock_guard lock(mutex_);
    planner_ = 0;
    const int status = process::wait_for(child);
    if (ended || over_) return status;
    starved_ = true;
    process::let_own_session_come_back();
  }
}

bool Learner::publish() {
  std::error_code error;
  fs::rename(made_, lesson_.plan, error);
  if (error)
    lesson_.say(fmt::format("cannot keep the plan at {}: {}", lesson_.plan.string(), error.message()));
  else
    lesson_.say(fmt::format("planned{}; {} {}{}", planned_ ? " anew" : "",
                            lesson_.dry ? "the plan is" : "serving from", lesson_.plan.string(),
                            lesson_.dry ? "" : " from the next pass on"));
  return !error;
}

}  // namespace memo::learn
