#include "planner/tool/learn/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "planner/tool/learn/verdict.h"
#include "planner/tool/learn/work_folder.h"
#include "runtime/formats/guest_options.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{500};

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::file_time_type written(const fs::path& trace) {
  std::error_code error;
  return fs::last_write_time(trace, error);
}

}  // namespace

Learner::Learner(Lesson lesson)
    : lesson_(std::move(lesson)),
      kept_(lesson_.plan),
      made_(lesson_.work / kMadePlan),
      explanations_(lesson_.program, lesson_.work, lesson_.say),
      planner_([this] { announce_finish(); }),
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
  planner_.stop();
  changed_.notify_all();
}

void Learner::finish(std::chrono::milliseconds most, const std::function<bool()>& interrupted) {
  constexpr std::chrono::milliseconds kBetweenQuestions{50};
  std::unique_lock lock(mutex_);
  if (idle_) return;
  stage_ = Stage::kProgramEnded;
  most_ = most;
  planner_.program_has_ended();
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

// Says once that the command goes on although the program has ended.
void Learner::announce_finish() {
  if (announced_.exchange(true)) return;
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
    if (!planned_) explanations_.of_silence();
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
  if (planned_ || done_ || !is_at(Stage::kProgramEnded)) return;
  explanations_.of_the_end();
  keep_verdict_of_the_end();
}

// A trace that is not full says nothing about a start that goes on for longer, or gets more requests.
void Learner::keep_verdict_of_the_end() {
  if (!lesson_.conditions || !is_for_later() || explanations_.said().empty()) return;
  if (std::ranges::any_of(traces_in(lesson_.work), is_full))
    keep_verdict(lesson_.plan, lesson_.origin, explanations_.said(), *lesson_.conditions);
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
      if (!planned_ && !done_ && is_at(Stage::kProgramRuns)) explanations_.of_trace_in_vain(trace);
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
  const Clock::duration before = planner_.spent();
  looks_.begin(trace, written(trace));
  if (learn_from(trace)) return true;
  looks_.end_in_vain(trace, Clock::now(), planner_.spent() - before);
  return false;
}

// Plans from the trace alone, and then from it and the kept traces together. If planning all of them together
// fails, publishes the plan of the new trace alone and deletes the kept ones, which are of no use any more.
bool Learner::learn_from(const fs::path& trace) {
  if (!plan_from({trace})) return false;
  kept_.forget_broken();
  std::vector<fs::path> together = kept_.all();
  if (!together.empty()) {
    together.push_back(trace);
    if (!plan_from(together)) {
      // A planner that could not start or was killed says nothing about the traces.
      if (done_ || is_at(Stage::kOver)) return false;
      kept_.forget();
    }
  }
  // Whoever waited has been told by then that nothing is planned.
  if (is_at(Stage::kOver)) return false;
  if (!publish()) return true;
  record_plan(lesson_.plan, lesson_.origin);
  remove_verdict(lesson_.plan);
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
  command.output = (lesson_.work / kPlannerOutput).string();
  command.errors = (lesson_.work / kPlannerErrors).string();
  const int status = planner_.run(command);
  if (status == process::kNotFound || status == process::kNotExecutable) {
    done_ = true;
    lesson_.say(fmt::format("cannot run {}: nothing is planned, and the program runs on as it is",
                            lesson_.planner.string()));
  }
  return status == 0;
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
