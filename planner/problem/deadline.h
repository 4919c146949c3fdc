// The moment by which a phase of planning has to end. What searches asks it between two steps, and ends with the best result
// so far when half of the time is over. What prepares a search, and what makes use of its result, has the rest; where that
// does not do, the phase ends without a result. A deadline counts processor time: a planner beside a busy server gets little
// of it, and must not stop early for that reason.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <optional>

namespace memo::planner {

class Deadline {
 public:
  // Makes a deadline that never passes.
  Deadline() = default;
  // Makes a deadline that passes after so many seconds, where there is a limit. The caller can cancel the search before.
  explicit Deadline(std::optional<double> seconds, const std::atomic<bool>* cancel = nullptr)
      : cancel_(cancel) {
    if (!seconds) return;
    search_end_ = now() + *seconds / 2;
    end_ = *search_end_ + *seconds / 2;
  }

  // Returns true once a search has to end, and from then on. Reads the clock.
  [[nodiscard]] bool passed() {
    if (!passed_) passed_ = (search_end_ && now() >= *search_end_) || (cancel_ != nullptr && cancel_->load());
    return passed_;
  }

  // Counts one of many small steps of the work around a search. Returns true once all time is over, and from then on.
  // Reads the clock at the first step, and then rarely.
  [[nodiscard]] bool over_at_step() {
    if (steps_++ % kStepsBetweenLooks == 0) look();
    return over_;
  }
  // Returns true if all time is over, for a step of the work around a search that takes long. Reads the clock.
  [[nodiscard]] bool over() {
    look();
    return over_;
  }

  // Returns true if a caller was told that the time is over, and therefore left its work undone.
  [[nodiscard]] bool cut_short() const { return passed_ || over_; }
  // Returns how many small steps were made.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint64_t kStepsBetweenLooks = 4096;

  void look() { over_ = over_ || (end_ && now() >= *end_); }

  [[nodiscard]] static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

  std::optional<double> search_end_;
  std::optional<double> end_;
  const std::atomic<bool>* cancel_ = nullptr;
  std::uint64_t steps_ = 0;
  bool passed_ = false;
  bool over_ = false;
};

}  // namespace memo::planner
