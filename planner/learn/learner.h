// Makes a plan from the traces of a program that is still running, beside it: `memomalloc plan` is run on what was recorded
// so far, at the lowest priority, again and again at growing intervals until there are passes to plan.
//
//   the library     records into `work`, watches `plan`
//   the learner     traces in `work` ──► memomalloc plan ──► `work`/….plan ──(rename)──► `plan`
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace memo::learn {

struct Lesson {
  std::filesystem::path planner;                // the memomalloc command
  std::filesystem::path work;                   // where the traces come to lie; nobody else's
  std::filesystem::path plan;                   // where the plan goes
  std::function<void(const std::string&)> say;  // one line for each change
};

// Works in a thread of its own until the plan is there, or the object goes.
class Learner {
 public:
  explicit Learner(Lesson lesson);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

 private:
  void work();
  [[nodiscard]] bool wait(std::chrono::milliseconds time);  // false: the program has ended
  [[nodiscard]] bool make_plan();
  [[nodiscard]] bool plan_from(const std::filesystem::path& trace);

  const Lesson lesson_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  bool planner_missing_ = false;
  std::thread thread_;
};

}  // namespace memo::learn
