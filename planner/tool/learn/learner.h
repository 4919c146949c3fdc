// Makes plans from the traces of a program that is still running, beside it, whenever there is something new to plan from:
// `memomalloc plan` is run on what was recorded so far, again and again at growing intervals until there are passes to plan:
// at the lowest priority while the machine has time to spare, as any other program once it does not.
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
  std::filesystem::path planner;                // the memomalloc command
  std::filesystem::path work;                   // where the traces come to lie; nobody else's
  std::filesystem::path plan;                   // where the plan goes
  bool once;                                    // learn until there is a plan, and no further
  bool dry;                                     // nobody serves from it
  std::function<void(const std::string&)> say;  // one line for each change
};

// Works in a thread of its own until the object goes, or there is nothing more to do. A plan that is half made then is
// given up: nobody waits for it.
class Learner {
 public:
  explicit Learner(Lesson lesson);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  // When a trace is looked at again, if it has grown since.
  struct Look {
    std::filesystem::file_time_type last{};
    Clock::time_point due{};
    std::chrono::milliseconds pause{};
  };

  void work();
  [[nodiscard]] bool wait(std::chrono::milliseconds time);  // false: the program has ended
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
  bool planned_ = false;  // by us, or there from the start
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  pid_t planner_ = 0;     // that runs, or has ended and was not waited for
  bool starved_ = false;  // a planner at the lowest priority got next to no processor time
  std::thread thread_;
};

// The traces that came to lie there, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& work);

// Takes the folder away, with the traces in it and what the learner made. Anything else stays, and the folder with it.
void clear_work_folder(const std::filesystem::path& work);

}  // namespace memo::learn
