#include "runtime/serving/turn_trial.h"

#include "runtime/platform/backoff.h"

namespace memo::runtime {

namespace {
constexpr Backoff<std::int64_t> kPauses{
    .first = TurnTrial::kFirstPause, .longest = TurnTrial::kLongestPause, .factor = 4};
}  // namespace

std::uint32_t TurnTrial::limit_after(const Passes& passes, std::uint64_t chance) {
  if (passes.now < pauses_until_) return limit_;
  const std::uint32_t ended = passes.ended - begin_.ended;
  if (stretch_ == Stretch::kNotBegun) {
    begin_pair(passes, chance);
  } else if (stretch_ == Stretch::kChanging && ended >= more()) {
    stretch_ = Stretch::kMeasured;
    begin_ = passes;
  } else if (stretch_ == Stretch::kMeasured && ended >= kPassesEach * more() &&
             passes.now - begin_.now >= kStretch) {
    end_stretch(passes);
  }
  return stretch_ == Stretch::kNotBegun ? limit_ : may_run();
}

void TurnTrial::begin_pair(const Passes& passes, std::uint64_t chance) {
  part_ = 0;
  more_first_ = (chance & 1) != 0;
  waited_before_ = passes.waited;
  change(passes);
}

void TurnTrial::change(const Passes& passes) {
  stretch_ = Stretch::kChanging;
  begin_ = passes;
}

void TurnTrial::end_stretch(const Passes& passes) {
  took_[has_more() ? 1 : 0] =
      static_cast<double>(passes.now - begin_.now) / static_cast<double>(passes.ended - begin_.ended);
  part_++ == 0 ? change(passes) : end_pair(passes);
}

// "Serving" of the test is the limit here, and "the heap" is more passes at once.
void TurnTrial::end_pair(const Passes& passes) {
  forget_pair();
  if (passes.waited != waited_before_) test_.note(took_[0], took_[1]);
  if (!test_.is_over()) return;
  if (test_.finding() == Finding::kHarms) return begin(more());
  test_.begin_anew();
  pause_ = kPauses.after(pause_);
  pauses_until_ = passes.now + pause_;
}

}  // namespace memo::runtime
