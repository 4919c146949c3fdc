// Decides when the learner tries a trace again. It takes a clock's readings and returns a decision.
//
//   look │ pause │ look │ pause │ look …    the pause is as long as the look before took of a processor
//
// Looks at a small trace cost little, so a pass that recurs is noticed within half a second. Looks that find
// nothing are spread out further once they have cost 5 s of processor time together: a program without passes
// must not keep a processor busy.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>

namespace memo::learn {

class Looks {
 public:
  using Clock = std::chrono::steady_clock;
  using Written = std::filesystem::file_time_type;
  using Trace = std::filesystem::path;

  static constexpr std::chrono::milliseconds kShortestPause{500};
  static constexpr std::chrono::milliseconds kLongestPause{30'000};
  static constexpr std::chrono::seconds kPatience{5};  // processor time of looks in vain before pauses grow

  // Returns true if the trace was never looked at.
  [[nodiscard]] bool is_new(const Trace& trace) const { return !looks_.contains(trace); }

  // Returns true if the trace was written to after the last look at it began.
  [[nodiscard]] bool has_grown(const Trace& trace, Written written) const;

  // Returns true if the trace has grown and the pause after the last look is over.
  [[nodiscard]] bool is_due(const Trace& trace, Written written, Clock::time_point now) const;

  // Takes note of a look that begins.
  void begin(const Trace& trace, Written written) { looks_[trace].written = written; }

  // Takes note of a look that found nothing and cost so much processor time.
  void end_in_vain(const Trace& trace, Clock::time_point now, Clock::duration cost);

  void forget(const Trace& trace) { looks_.erase(trace); }

 private:
  struct Look {
    Written written{};
    Clock::time_point due{};
    Clock::duration spent{};  // processor time of all looks at this trace
  };
  std::map<Trace, Look> looks_;
};

}  // namespace memo::learn
