// Lets only so many passes run at once (`--at-once`). The others wait, in the order in which they came. More passes than processors
// are no faster for running at once, but each that was begun holds the memory of its worst moment.
//
//   passes, as they came   0 1 2 3 4 5 6 7
//   with two at once,      x x x |-|          three ended, whichever: those numbered below 3 + 2 may run
//
// A pass whose turn does not come although the processors idle, or although no turn came back for long, goes on all the same: those
// that run may wait for something else, such as the network, or for a lock that the waiting thread holds. So a program never stands
// still for this. Such waits, and the processor time that sleeping and waking take, may come to a hundred-and-twenty-eighth of the
// time; beyond that no pass waits. Where nobody set the limit, it is tried whether passes are faster with more of them (turn_trial.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/platform/try_flag.h"
#include "runtime/serving/turn_trial.h"

namespace memo::runtime {

// Who asked for turns. Those that nobody asked for end sooner.
enum class TurnsFor : std::uint8_t { kUser, kAnyone };

class Turns {
 public:
  // Sets how many passes run at once; 0: as many as come. To be called before the first one.
  void let_run(std::uint32_t most, TurnsFor whom = TurnsFor::kUser);

  // Returns true if kinds of passes that serving stands aside for take no turns: nobody asked for them.
  [[nodiscard]] bool spare_those_aside() const { return whom_ == TurnsFor::kAnyone; }

  // Takes a turn for a pass that is to begin, and waits for it. Returns true if give() is due at the pass's end, false if there are no
  // turns to take. A pass that waits long calls `give_of_ended_threads`, which gives back what their threads cannot. Costs one load where
  // there is no limit.
  [[nodiscard]] bool take(void (*give_of_ended_threads)()) {
    return most_.load(std::memory_order_relaxed) != 0 && take_one(give_of_ended_threads);
  }

  // Gives back the turn of a pass that has ended.
  void give();

  // Begins anew in a copy of the process: the passes of other threads do not run there.
  void begin_anew();

  // Counts a pass of the copy that had its turn before.
  void take_along() { begun_.fetch_add(1, std::memory_order_relaxed); }

 private:
  bool take_one(void (*give_of_ended_threads)());
  void wait_for(std::uint32_t number, void (*give_of_ended_threads)());
  std::int64_t wait_until_may_run_or_idle(std::uint32_t number, void (*give_of_ended_threads)());
  [[nodiscard]] bool may_run(std::uint32_t number) const;
  [[nodiscard]] bool too_much_was_lost() const;
  void note_loss(std::int64_t lost);
  void try_more(std::uint32_t ended);

  TurnsFor whom_ = TurnsFor::kUser;
  TryFlag trying_;
  TurnTrial trial_;
  std::atomic<std::uint32_t> most_{0};
  std::atomic<std::uint32_t> begun_{0};    // numbers given out
  std::atomic<std::uint32_t> ended_{0};    // turns given back; waiting threads sleep on it
  std::atomic<std::uint32_t> waiting_{0};  // threads that sleep, or are about to
  std::atomic<std::int64_t> since_{0};     // when the limit was set
  std::atomic<std::int64_t> lost_{0};  // nanoseconds, for which passes waited in vain or that waiting cost
};

extern constinit Turns g_turns;

}  // namespace memo::runtime
