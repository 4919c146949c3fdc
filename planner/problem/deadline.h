// The moment by which a phase of planning has to end. A phase that searches asks it between two steps, and ends
// with the best result so far. A deadline counts processor time: a planner beside a busy server gets little of
// it, and must not stop early for that reason.
#pragma once

#include <atomic>
#include <ctime>
#include <optional>

namespace memo::planner {

class Deadline {
 public:
  // Makes a deadline that never passes.
  Deadline() = default;
  // Makes a deadline that passes after so many seconds, where there is a limit, or when the caller cancels.
  explicit Deadline(std::optional<double> seconds, const std::atomic<bool>* cancel = nullptr)
      : cancel_(cancel) {
    if (seconds) end_ = now() + *seconds;
  }

  // Returns true once the deadline has passed, and from then on. Reads the clock.
  [[nodiscard]] bool passed() {
    if (!passed_) passed_ = (end_ && now() >= *end_) || (cancel_ != nullptr && cancel_->load());
    return passed_;
  }
  // Returns true if passed() has returned true to a caller, which therefore left its work undone.
  [[nodiscard]] bool cut_short() const { return passed_; }

 private:
  [[nodiscard]] static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

  std::optional<double> end_;
  const std::atomic<bool>* cancel_ = nullptr;
  bool passed_ = false;
};

}  // namespace memo::planner
