#include "planner/tool/progress/line.h"

#include <chrono>
#include <utility>

#include "planner/tool/progress/words.h"

namespace memo::progress {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kBetweenDrawings{100};
constexpr seconds kBetweenFirstSentences{10};
constexpr seconds kBetweenSentences{60};  // once the work takes longer than that

}  // namespace

Line::Line(Output output, Moment begin) : output_(std::move(output)), begin_(begin), shown_(begin) {}

bool Line::is_due(Moment now) const {
  switch (output_.way) {
    case Way::kSilent:
      return false;
    case Way::kRedrawn:
      return !is_shown_ || now - shown_ >= kBetweenDrawings;
    case Way::kSentences:
      return now - shown_ >=
             (shown_ - begin_ < kBetweenSentences ? kBetweenFirstSentences : kBetweenSentences);
  }
  return false;
}

void Line::show(const State& state, Moment now) {
  pace_.note(state, now);
  what_ = state.what;
  is_begun_ = true;
  tick(now);
}

void Line::tick(Moment now) {
  if (!is_begun_ || !is_due(now)) return;
  shown_ = now;
  is_shown_ = true;
  const Figures figures{pace_.share(now), now - begin_, pace_.left(now), what_};
  output_.write(output_.way == Way::kRedrawn ? bar_text(figures, output_.columns()) : sentence(figures));
}

}  // namespace memo::progress
