// Makes plans from the traces of a program while it runs, whenever there is something new to plan from. The
// learner runs `memomalloc plan` on what has been recorded so far, at growing intervals, until there are passes
// to plan. The planner runs at the lowest priority while the machine has time to spare, and at the usual
// priority otherwise.
//
//   the library     records into `work`, watches `plan`
//   the learner     a trace in `work` ──► memomalloc plan ──(with the kept traces)──► made.plan ──(rename)──► `plan`
//                             └──(once planned from)──► kept beside the plan, for the next time
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "planner/system/child.h"
#include "planner/tool/learn/kept_traces.h"

namespace memo::learn {

struct Lesson {
  std::filesystem::path planner;  // the memomalloc command
  // The folder where the library writes its traces. Only the learner uses it besides.
  std::filesystem::path work;
  std::filesystem::path plan;                   // the path to which the learner moves each plan
  bool once;                                    // the learner stops at the first plan
  bool dry;                                     // the library does not serve from the plan
  std::function<void(const std::string&)> say;  // receives one line for each change
};

// Works in a thread of its own, until the object is destroyed or there is nothing more to do. The destructor
// kills a planner that still runs, because the program's end must not wait for a plan.
class Learner {
 public:
  explicit Learner(Lesson lesson);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  // When the learner next tries a trace, provided that the trace has grown.
  struct Look {
    std::filesystem::file_time_type last{};
    Clock::time_point due{};
    std::chrono::milliseconds pause{};
  };

  void work();
  // Returns false if the program has ended.
  [[nodiscard]] bool wait(std::chrono::milliseconds time);
  void look_at_traces();
  void leave_to_others();
  [[nodiscard]] bool is_worth_a_look(const std::filesystem::path& trace);
  [[nodiscard]] bool learn_from(const std::filesystem::path& trace);
  [[nodiscard]] bool plan_from(const std::vector<std::filesystem::path>& traces);
  [[nodiscard]] int run_planner(process::Command command);
  [[nodiscard]] bool start_planner(const process::Command& command, process::Child* child);
  [[nodiscard]] bool publish();

  const Lesson lesson_;
  const KeptTraces kept_;
  const std::filesystem::path made_;
  std::map<std::filesystem::path, Look> looks_;
  bool planned_ = false;  // the learner made a plan, or one existed when it started
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  pid_t planner_ = 0;     // a planner that runs, or has ended and was not waited for
  bool starved_ = false;  // a planner at the lowest priority got next to no processor time
  std::thread thread_;
};

// Returns the traces in `work`, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& work);

// Deletes the traces in the folder and the files that the learner made, and then the folder, unless it holds
// other files.
void clear_work_folder(const std::filesystem::path& work);

}  // namespace memo::learn
