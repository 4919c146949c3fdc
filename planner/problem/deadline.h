// The moment by which a phase of planning has to be done. Phases that search ask it between two steps, and end with the best
// they have by then. It counts the processor's time: a planner that works beside a busy server gets little of it, and must not
// be cut short for that.
#pragma once

#include <time.h>

#include <atomic>
#include <optional>

namespace memo::planner {

class Deadline {
 public:
  // Never.
  Deadline() = default;
  // So many seconds from now on, where there is a limit, or when somebody cancels.
  explicit Deadline(std::optional<double> seconds, const std::atomic<bool>* cancel = nullptr)
      : cancel_(cancel) {
    if (seconds) end_ = now() + *seconds;
  }

  // Returns true once it has passed, and from then on. Costs a look at the clock.
  [[nodiscard]] bool passed() {
    if (!passed_) passed_ = (end_ && now() >= *end_) || (cancel_ != nullptr && cancel_->load());
    return passed_;
  }
  // Returns true if something was told that it has passed, and so left its work undone.
  [[nodiscard]] bool cut_short() const { return passed_; }

 private:
  [[nodiscard]] static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  std::optional<double> end_;
  const std::atomic<bool>* cancel_ = nullptr;
  bool passed_ = false;
};

}  // namespace memo::planner
