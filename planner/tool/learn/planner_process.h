// Runs the planner beside the program that is learned: at the lowest priority while the machine has time to spare,
// and at the usual priority otherwise, and once the program has ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <mutex>

#include "planner/system/child.h"

namespace memo::learn {

class PlannerProcess {
 public:
  // Calls `works_late` when a planner runs after the program's end: each time that one starts, and if one runs at
  // that moment.
  explicit PlannerProcess(std::function<void()> works_late) : works_late_(std::move(works_late)) {}
  PlannerProcess(const PlannerProcess&) = delete;
  PlannerProcess& operator=(const PlannerProcess&) = delete;

  // Runs the command to its end. Returns its status as process::wait_for does, and -1 if stop() came first.
  [[nodiscard]] int run(process::Command command);

  // Tells the planner that the program has ended; any thread may call it.
  void program_has_ended();

  // Kills a planner that runs, and lets no other start. To be called from any thread.
  void stop();

  // Returns the processor time of the planners so far.
  [[nodiscard]] std::chrono::steady_clock::duration spent() const { return spent_; }

 private:
  [[nodiscard]] bool start(process::Command& command, process::Child* child);
  [[nodiscard]] int collect(const process::Child& child);

  const std::function<void()> works_late_;
  std::chrono::steady_clock::duration spent_{};
  bool starved_ =
      false;  // a planner at the lowest priority got next to no processor time, or delays no program
  std::mutex mutex_;
  bool ended_ = false;  // the program has
  bool stopped_ = false;
  pid_t planner_ = 0;  // a planner that runs, or has ended and was not waited for
};

}  // namespace memo::learn
