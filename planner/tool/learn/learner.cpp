#include "planner/tool/learn/learner.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "planner/system/last_of_all.h"
#include "planner/tool/learn/symptoms.h"
#include "runtime/formats/guest_options.h"
#include "runtime/formats/recording_claim.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMade = "made.plan";
constexpr const char* kOutput = "planner.out";
constexpr const char* kErrors = "planner.err";
constexpr const char* kPlanOfNoCache = "the.plan";  // the same name as in preload/modes/auto/own_planner.cpp

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr std::chrono::seconds kPatience{30};                     // before a line says why there is no plan
constexpr std::uintmax_t kLargeTrace = std::uintmax_t{56} << 20;  // bytes; the limit of a trace is 64 MiB

// Returns true if the file is a trace. The names of later traces end in a dot and a number.
bool is_trace(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().filename().string().find(".trace") != std::string::npos && entry.is_regular_file(error);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::file_time_type written(const fs::path& trace) {
  std::error_code error;
  return fs::last_write_time(trace, error);
}

std::chrono::nanoseconds processor_time(const rusage& usage) {
  const auto length = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return length(usage.ru_utime) + length(usage.ru_stime);
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
  for (const char* made : {kMade, kOutput, kErrors, kPlanOfNoCache, claim::kFileName})
    fs::remove(work / made, error);
  remove_record(work / kPlanOfNoCache);
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
    stop();
  }
  thread_.join();
}

// Ends the thread as soon as possible. To be called under the lock.
void Learner::stop() {
  stage_ = Stage::kOver;
  if (planner_ != 0) kill(planner_, SIGKILL);
  changed_.notify_all();
}

void Learner::finish(std::chrono::milliseconds most, const std::function<bool()>& interrupted) {
  constexpr std::chrono::milliseconds kBetweenQuestions{50};
  std::unique_lock lock(mutex_);
  if (idle_) return;
  stage_ = Stage::kProgramEnded;
  most_ = most;
  if (planner_ != 0) announce_finish();
  changed_.notify_all();
  const Clock::time_point due = Clock::now() + most;
  bool stopped = false;
  while (!idle_ && Clock::now() < due && !stopped) {
    changed_.wait_for(lock, std::min<Clock::duration>(kBetweenQuestions, due - Clock::now()));
    stopped = interrupted();
  }
  if (idle_) return;
  stop();
  lesson_.say(stopped ? "told to end: the plan is not finished, and the next start learns anew"
                      : fmt::format("the plan is not finished after {:g} s (--finish), and the next start "
                                    "learns anew",
                                    std::chrono::duration<double>(most).count()));
}

// Says once that the command goes on although the program has ended. To be called under the lock.
void Learner::announce_finish() {
  if (std::exchange(announced_, true)) return;
  lesson_.say(fmt::format("the program has ended; finishing its plan (at most {:g} s)",
                          std::chrono::duration<double>(most_).count()));
}

bool Learner::wait(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return stage_ != Stage::kProgramRuns; });
}

bool Learner::is_at(Stage stage) {
  const std::lock_guard lock(mutex_);
  return stage_ == stage;
}

void Learner::work() {
  while (!done_ && wait(kBetweenLooks)) look();
  if (!done_ && is_at(Stage::kProgramEnded)) plan_the_rest();
  const std::lock_guard lock(mutex_);
  idle_ = true;
  changed_.notify_all();
}

void Learner::look() {
  if (!planned_ && is_there(lesson_.plan)) {
    leave_to_others();
  } else {
    look_at_traces();
    explain_silence();
  }
}

// Returns true if the plan is of use after the program's end: for the next start, or for the report of a dry run.
bool Learner::is_for_later() const {
  return lesson_.dry || lesson_.plan.parent_path() != lesson_.work;
}

// Plans from each trace that has grown since it was looked at, without waiting for the pause between looks: the
// last allocations are written at the program's end.
void Learner::plan_the_rest() {
  if (!planned_ && is_there(lesson_.plan)) return leave_to_others();
  for (const fs::path& trace : traces_in(lesson_.work)) {
    if (!is_for_later() || done_ || !is_at(Stage::kProgramEnded)) break;
    if (looks_.has_grown(trace, written(trace)) && try_trace(trace)) planned_ = true;
    done_ = done_ || (planned_ && lesson_.once);
  }
  if (!planned_ && !done_ && is_at(Stage::kProgramEnded)) explain(true);
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
    if (!is_worth_a_look(trace)) continue;
    if (!try_trace(trace)) {
      explain_trace_in_vain(trace);
      continue;
    }
    planned_ = true;
    done_ = lesson_.once;
    return;
  }
}

bool Learner::is_worth_a_look(const fs::path& trace) {
  if (planned_ && looks_.is_new(trace))
    lesson_.say("the passes do not match the plan any more; learning again");
  return looks_.is_due(trace, written(trace), Clock::now());
}

// Looks at the trace, and makes the pause before the next look as long as this one was work.
bool Learner::try_trace(const fs::path& trace) {
  const Clock::duration before = spent_;
  looks_.begin(trace, written(trace));
  if (learn_from(trace)) return true;
  looks_.end_in_vain(trace, Clock::now(), spent_ - before);
  return false;
}

// Says so where the program has run for a while and nothing was recorded.
void Learner::explain_silence() {
  if (planned_ || said_silent_ || Clock::now() < begun_ + kPatience) return;
  said_silent_ = true;
  if (traces_in(lesson_.work).empty()) explain(false);
}

// Says so where a trace is as large as it gets after a while, and nothing in it recurs.
void Learner::explain_trace_in_vain(const fs::path& trace) {
  std::error_code error;
  if (planned_ || done_ || said_why_ || Clock::now() < begun_ + kPatience) return;
  if (fs::file_size(trace, error) < kLargeTrace || error || !is_at(Stage::kProgramRuns)) return;
  said_why_ = true;
  explain(false);
}

void Learner::explain(bool ended) {
  if (ended && said_why_) return;
  const std::optional<Facts> facts = gather_facts(lesson_.program, traces_in(lesson_.work), ended);
  if (!facts) return;
  const std::string sentence = diagnose(*facts);
  if (sentence != std::exchange(explained_, sentence)) lesson_.say(sentence);
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
      if (done_ || is_at(Stage::kOver)) return false;
      kept_.forget();
    }
  }
  if (!publish()) return true;
  record_plan(lesson_.plan, lesson_.origin);
  kept_.keep(trace);
  looks_.forget(trace);
  return true;
}

bool Learner::plan_from(const std::vector<fs::path>& traces) {
  process::Command command;
  command.words = {lesson_.planner.string(),
                   "plan",
                   "-q",
                   "--steady",
                   "--warm-up",
                   std::to_string(kUnrecordedPasses),
                   "--threads",
                   "1",
                   "--timeout",
                   "2s",
                   "--force",
                   "-o",
                   made_.string()};
  for (const fs::path& trace : traces) command.words.push_back(trace.string());
  command.unset = {"LD_PRELOAD"};
  command.apart = true;
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

// Starts the planner. Returns false if there is no more time for it. The destructor may kill the process id under
// this lock, since the id is not reused before the child is waited for.
bool Learner::start_planner(process::Command& command, process::Child* child) {
  const std::lock_guard lock(mutex_);
  if (stage_ == Stage::kOver) return false;
  if (stage_ == Stage::kProgramEnded) {
    announce_finish();
    // Nobody is held up any more.
    if (!std::exchange(starved_, true)) process::let_own_session_come_back();
  }
  command.last_of_all = !starved_;
  *child = process::start(command);
  planner_ = child->id;
  return true;
}

// Runs the planner to its end. If it starves at the lowest priority, starts it again with the usual priority:
// any process may lower a priority, but few may raise one. Little work is lost, because the first run had next
// to no processor time. Later planners have the usual priority from the beginning.
int Learner::run_planner(process::Command command) {
  for (;;) {
    process::Child child;
    if (!start_planner(command, &child)) return -1;
    if (!command.last_of_all) process::wait_for_end(child);
    const bool ended = !command.last_of_all || process::ends_without_starving(child);
    if (!ended) kill(child.id, SIGKILL);
    const std::lock_guard lock(mutex_);
    planner_ = 0;
    rusage usage{};
    const int status = process::wait_for(child, &usage);
    spent_ += processor_time(usage);
    if (ended || stage_ == Stage::kOver) return status;
    starved_ = true;
    process::let_own_session_come_back();
  }
}

bool Learner::publish() {
  std::error_code error;
  fs::rename(made_, lesson_.plan, error);
  const char* when = planned_ ? " anew" : "";
  if (error)
    lesson_.say(fmt::format("cannot keep the plan at {}: {}", lesson_.plan.string(), error.message()));
  else if (lesson_.dry)
    lesson_.say(fmt::format("planned{}; the plan is {}", when, lesson_.plan.string()));
  else if (is_at(Stage::kProgramRuns))
    lesson_.say(fmt::format("planned{}; serving from {} from the next pass on", when, lesson_.plan.string()));
  else
    lesson_.say(fmt::format("planned{}; the next start serves from {}", when, lesson_.plan.string()));
  return !error;
}

}  // namespace memo::learn
