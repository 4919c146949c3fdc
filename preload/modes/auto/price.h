// Limits what recording may cost: a twentieth of the program's processor time over any second, and once, on top of that, a
// tenth of a second, so that most programs are learned in one go.
//
//   records     ████████                  ██              ██                              ██
//   credit      ▔▔▔▔▔▔▔▔╲___.-----▔▔▔▔▔▔▔▔▔╲__.----▔▔▔▔▔▔▔▔╲___.----▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔╲_
//               the first   rests         a stretch       rests twice as long
//
// Credit grows with the program's processor time, up to the twentieth of a second, and goes with the recorder's own. A program
// whose passes are marked is recorded pass by pass, as long as there is credit when one begins. Of any other one, a whole
// stretch is recorded, until the credit is used up: passes are found by what comes again in a stretch. Each stretch that no
// plan has come of is followed by a rest twice as long as the one before, and after eight of them there is no other.
//
// Takes the readings of two clocks and returns decisions: it never touches the program.
#pragma once

#include <cstdint>

namespace memo::guest {

class Price {
 public:
  static constexpr std::int64_t kSecond = 1'000'000'000;    // nanoseconds, as all times here
  static constexpr std::int64_t kShare = 20;                // of the program's time, one part in so many
  static constexpr std::int64_t kMostSaved = kSecond / 20;  // credit that a rest may leave
  static constexpr std::int64_t kAtFirst = kSecond / 10;    // given once
  static constexpr std::int64_t kFarOver = -kMostSaved;     // a debt that a pass does not explain
  static constexpr std::uint32_t kMostStretches = 8;        // without a plan

  // Takes note of what the recorder has taken since the process began, and of what the process has with it. For one thread at
  // a time, as all functions but may_record().
  void account(std::int64_t recorder, std::int64_t process);

  // Returns true if there is credit to record with. For any thread.
  [[nodiscard]] bool may_record() const { return __atomic_load_n(&credit_, __ATOMIC_RELAXED) > 0; }

  // Returns true if recording goes on although it may not: what costs is not the passes that are recorded.
  [[nodiscard]] bool is_far_over() const { return credit_ < kFarOver; }

  // Takes note that a stretch has ended, and sets the rest after it.
  void end_stretch();

  // Returns true if another stretch may begin: the rest is over, and all credit is there.
  [[nodiscard]] bool may_begin_stretch() const;

  // Returns true after the last stretch.
  [[nodiscard]] bool has_ended() const { return stretches_ == kMostStretches; }

 private:
  bool begun_ = false;
  std::int64_t recorder_ = 0;  // the readings before
  std::int64_t process_ = 0;
  std::int64_t credit_ = kAtFirst;
  std::int64_t rest_ends_ = 0;  // in the process's time
  std::uint32_t stretches_ = 0;
};

}  // namespace memo::guest
