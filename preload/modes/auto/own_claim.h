// The claim to record as this process has it: what it holds, whether its trace has a gap, and when it asks the
// file (recording_claim.h) again.
//
//               take()            record()          await_plan()
//   nothing ───────────► taken ───────────► records ───────────► until the plan comes
//      ▲                   │                   │                         │
//      ├───── give_up() ───┴───────────────────┼─────────────────────────┘
//      └───── renew() fails: the trace has ────┘
//             a gap until record() is called
//
// A process that has lost the claim goes on with its trace when it gets the claim again: marked passes that it
// recorded before stay in the trace. It needs a new trace where a planner has removed the old one, and where
// that one has allocations outside of passes: after a gap they would show wrong lifetimes.
#pragma once

#include <cstdint>

#include "preload/modes/auto/recording_claim.h"
#include "preload/platform/relaxed.h"

namespace memo::guest {

class OwnClaim {
 public:
  static constexpr std::int64_t kBetweenAsking = 200;     // milliseconds, for a claim that is taken
  static constexpr std::int64_t kBetweenRenewals = 1000;  // milliseconds

  // ---- for any thread ----

  // Returns true while this process holds the claim and records.
  [[nodiscard]] bool records() const { return read_relaxed(holds_) == kRecords; }

  // Return true once in each pause of so many milliseconds. Return false, too, in a task that shares the memory
  // of this process under another number. `now` is in milliseconds.
  [[nodiscard]] bool is_time_to_ask(std::int64_t now) { return is_time(now, kBetweenAsking); }
  [[nodiscard]] bool is_time_to_renew(std::int64_t now) { return is_time(now, kBetweenRenewals); }

  // Ends the pause.
  void ask_at_once() { write_relaxed(next_, 0); }

  // ---- for one thread at a time ----

  // Takes the claim for this work. Returns true if the process may record; record() or give_up() follows.
  [[nodiscard]] bool take(claim::Work work);

  // Notes that the recording has begun, or goes on.
  void record();

  // Renews the claim for this work. Returns false if another process has taken it over.
  [[nodiscard]] bool renew(claim::Work work);

  // Keeps the other processes from recording the same passes while the planner works.
  void await_plan();

  // Gives up what the process holds.
  void give_up();

  // Returns true if another process has recorded since this one began its trace.
  [[nodiscard]] bool has_gap() const { return has_gap_; }
  [[nodiscard]] bool needs_new_trace() const { return needs_new_trace_; }

 private:
  // Integers and no enumeration: not every compiler accepts enumerations in the __atomic built-ins.
  using Holds = int;
  static constexpr Holds kNothing = 0;
  static constexpr Holds kTaken = 1;
  static constexpr Holds kRecords = 2;
  static constexpr Holds kUntilPlanned = 3;

  [[nodiscard]] bool is_time(std::int64_t now, std::int64_t pause);

  Holds holds_ = kNothing;
  bool has_gap_ = false;
  bool needs_new_trace_ = false;
  std::int64_t next_ = 0;  // milliseconds
};

}  // namespace memo::guest
