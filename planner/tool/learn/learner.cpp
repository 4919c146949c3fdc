#include "planner/tool/learn/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "planner/plan/plan_reader.h"
#include "planner/tool/learn/plan_cache.h"
#include "planner/tool/learn/verdict.h"
#include "planner/tool/learn/work_folder.h"
#include "runtime/formats/guest_options.h"
#include "runtime/formats/recording_claim.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{500};

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Returns true if the plan finds passes by their period. One that is not there or broken does not.
bool is_by_period(const fs::path& plan) {
  try {
    return !planner::read_plan(plan).anchors.empty();
  } catch (const std::exception&) {
    return false;
  }
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
      had_traces_(!planned_ && !kept_.all().empty()),
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
  constexpr std::chrono::milliseconds kShortestWait{1};
  std::unique_lock lock(mutex_);
  if (idle_) return;
  stage_ = Stage::kProgramEnded;
  most_ = most;
  if (is_for_later())
    planner_.program_has_ended();
  else
    planner_.stop();
  changed_.notify_all();
  const Clock::time_point due = Clock::now() + most;
  bool stopped = false;
  while (!idle_ && !stopped && (!announced_ || Clock::now() < due)) {
    const Clock::duration left = std::max<Clock::duration>(kShortestWait, due - Clock::now());
    changed_.wait_for(lock, std::min<Clock::duration>(kBetweenQuestions, left));
    stopped = interrupted();
  }
  if (idle_) return;
  cut_ = true;
  told_to_end_ = stopped;
  stop();
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
  if (cut_ && is_for_later()) end_cut();
  idle_ = true;
  changed_.notify_all();
}

// Returns true if the next start may plan from what was recorded. A period that was not found in time would hardly be found then. Nor
// would a plan be finished whose traces were there from this start's begin on, unless a user ended the wait.
bool Learner::may_plan_later() const {
  return program_marks() && (told_to_end_ || !had_traces_);
}

// Says what is left where the time was too short. Another plan than one that is there is learned when passes miss that.
void Learner::end_cut() {
  const std::string why = told_to_end_ ? "told to end: the plan is not finished"
                                       : fmt::format("the plan is not finished after {:g} s (--finish)",
                                                     std::chrono::duration<double>(most_).count());
  const char* const next = planned_           ? "the next start serves from the one that is there"
                           : may_plan_later() ? "the next start plans from what was recorded"
                                              : "this is too short to gain: the next start is not recorded";
  lesson_.say(fmt::format("{}; {}", why, next));
  if (!planned_) keep_what_was_cut();
}

void Learner::keep_what_was_cut() {
  if (may_plan_later()) {
    for (const fs::path& trace : traces_in(lesson_.work)) kept_.keep(trace);
    return;
  }
  keep_verdict_of("the program ended before its plan was finished, which --finish 30s gives it time for",
                  Saw::kTooLittle);
}

// Returns true if a process of the program marked a pass, or a hook saw one.
bool Learner::program_marks() const {
  return is_there(lesson_.work / claim::kProgramMarks);
}

// Plans, beside the program, from what an earlier start recorded and had no time to plan from.
void Learner::look_at_kept() {
  if (planned_ || std::exchange(looked_at_kept_, true)) return;
  kept_.forget_broken();
  const std::vector<fs::path> traces = kept_.all();
  if (traces.empty()) return;
  const bool made = plan_from(traces);
  if (done_ || is_at(Stage::kOver)) return;
  if (!made || !why_stale(made_).empty()) return kept_.forget();
  if (!publish()) return;
  record_plan(lesson_.plan, lesson_.origin);
  planned_ = true;
  done_ = lesson_.once;
}

void Learner::look() {
  if (!planned_ && is_there(lesson_.plan)) {
    leave_to_others();
  } else {
    look_at_kept();
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
  if (has_unseen_traces())
    return lesson_.say("the program ended before there was a plan, and nothing is kept for the next start");
  explanations_.of_the_end();
  keep_verdict_of_the_end();
}

// Returns true where no trace was read: nothing can be said of what is in it.
bool Learner::has_unseen_traces() const {
  return std::ranges::any_of(traces_in(lesson_.work),
                             [this](const fs::path& trace) { return looks_.is_new(trace); });
}

// Marked passes cost next to nothing to record, so that a start with few of them is no reason to leave the next one alone.
void Learner::keep_verdict_of_the_end() {
  const bool saw_all = explanations_.saw_enough() || std::ranges::any_of(traces_in(lesson_.work), is_full);
  if (explanations_.said().empty() || (!saw_all && (program_marks() || explanations_.saw_marks()))) return;
  keep_verdict_of(explanations_.said(), saw_all ? Saw::kAll : Saw::kTooLittle);
}

void Learner::keep_verdict_of(const std::string& why, Saw saw) {
  if (lesson_.conditions && is_for_later())
    keep_verdict(lesson_.plan, lesson_.origin, why, *lesson_.conditions, saw);
}

// Leaves the plan to another server that shares the cache and has made one first.
void Learner::leave_to_others() {
  planned_ = true;
  done_ = lesson_.once;
  lesson_.say("another user's plan is there");
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
  const bool by_period = is_by_period(made_);
  if (gives_way(by_period)) return false;
  if (is_there(lesson_.plan) && is_by_period(lesson_.plan) != by_period) kept_.forget();
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
  // A user who waited has been told by then that nothing is planned.
  if (is_at(Stage::kOver)) return false;
  if (!publish()) return true;
  marked_ = marked_ || !by_period;
  record_plan(lesson_.plan, lesson_.origin);
  remove_verdict(lesson_.plan);
  kept_.keep(trace);
  looks_.forget(trace);
  return true;
}

// Returns true for passes found by their period in a program that marks passes: such a trace is from before.
bool Learner::gives_way(bool by_period) const {
  return by_period && marked_;
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
  else if (!is_for_later())
    lesson_.say(fmt::format("planned{}; serving from the next pass on, until the program ends", when));
  else if (is_at(Stage::kProgramRuns))
    lesson_.say(fmt::format("planned{}; serving from {} from the next pass on", when, lesson_.plan.string()));
  else
    lesson_.say(fmt::format("planned{}; the next start serves from {}", when, lesson_.plan.string()));
  return !error;
}

}  // namespace memo::learn
