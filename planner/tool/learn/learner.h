// Makes plans from the traces of a program while it runs, whenever there is something new to plan from. The
// learner runs `memomalloc plan` on what has been recorded so far, again and again (looks.h), until there are
// passes to plan. The planner runs at the lowest priority while the machine has time to spare, and at the usual
// priority otherwise. After the program's end the learner plans what is left, at the usual priority.
//
//   the library     records into `work`, watches `plan`
//   the learner     a trace in `work` ──► memomalloc plan ──(with the kept traces)──► made.plan ──(rename)──► `plan`
//                             └──(once planned from)──► kept beside the plan, for the next time
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "planner/tool/learn/explanations.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/looks.h"
#include "planner/tool/learn/plan_record.h"
#include "planner/tool/learn/planner_process.h"
#include "planner/tool/learn/verdict.h"

namespace memo::learn {

struct Lesson {
  std::filesystem::path planner;  // the memomalloc command
  std::string program;            // the program that is learned, as the user typed it
  // The folder where the library writes its traces. Only the learner uses it besides.
  std::filesystem::path work;
  std::filesystem::path plan;                   // the path to which the learner moves each plan
  bool once;                                    // the learner stops at the first plan
  bool dry;                                     // the library does not serve from the plan
  std::function<void(const std::string&)> say;  // receives one line for each change
  Origin origin;                                // goes into the plan's record
  // Holds, for a verdict where nothing is learned, the options that say where passes begin. Without them no
  // verdict is kept.
  std::optional<std::string> conditions = {};
};

// Works in a thread of its own, until the object is destroyed or there is nothing more to do. The destructor
// kills a planner that still runs.
class Learner {
 public:
  explicit Learner(Lesson lesson);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Call this once the program has ended. Plans from the traces that were not planned from yet, and says what is
  // wrong where there is still no plan. Returns when that is done, or as soon as a planner has run for `most` or `interrupted`
  // returns true: then the next start plans from what was recorded, unless this one had no success with that. Makes no plan where
  // no later start would find it.
  void finish(std::chrono::milliseconds most, const std::function<bool()>& interrupted);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage { kProgramRuns, kProgramEnded, kOver };

  void work();
  // Returns false if the program has ended.
  [[nodiscard]] bool wait(std::chrono::milliseconds time);
  [[nodiscard]] bool is_at(Stage stage);
  void look();
  void look_at_kept();
  void look_at_traces();
  void end_cut();
  void keep_what_was_cut();
  void plan_the_rest();
  void leave_to_others();
  [[nodiscard]] bool has_unseen_traces() const;
  [[nodiscard]] bool is_for_later() const;
  [[nodiscard]] bool is_worth_a_look(const std::filesystem::path& trace);
  [[nodiscard]] bool try_trace(const std::filesystem::path& trace);
  [[nodiscard]] bool learn_from(const std::filesystem::path& trace);
  [[nodiscard]] bool plan_from(const std::vector<std::filesystem::path>& traces);
  [[nodiscard]] bool gives_way(bool by_period) const;
  [[nodiscard]] bool publish();
  void stop();
  void announce_finish();
  [[nodiscard]] bool program_marks() const;
  [[nodiscard]] bool may_plan_later() const;
  void keep_verdict_of_the_end();
  void keep_verdict_of(const std::string& why, Saw saw);

  const Lesson lesson_;
  const KeptTraces kept_;
  const std::filesystem::path made_;
  Looks looks_;
  Explanations explanations_;
  PlannerProcess planner_;
  bool planned_ = false;           // the learner made a plan, or one existed when it started
  const bool had_traces_ = false;  // an earlier start had left some when this one began
  bool done_ = false;              // nothing more is to be learned
  bool marked_ = false;            // a plan of marked passes was made
  bool looked_at_kept_ = false;
  bool cut_ = false;  // the time after the program's end was too short; constant once the stage is kOver
  bool told_to_end_ = false;  // likewise, since the command was interrupted
  std::mutex mutex_;
  std::condition_variable changed_;
  Stage stage_ = Stage::kProgramRuns;
  bool idle_ = false;                    // the thread does nothing more
  std::atomic<bool> announced_ = false;  // a line said that a plan is finished after the program's end
  std::chrono::milliseconds most_{0};    // how long finish() waits; constant once the program has ended
  std::thread thread_;
};

}  // namespace memo::learn
