#include "runtime/worth/paired_test.h"

namespace memo::runtime {
namespace {

constexpr double kNoticed = 0.005;  // half a percent: less is no difference

constexpr std::uint32_t kTrimmed = 5;  // one in five is left out on either side

// When to look, and how many standard errors the interval has on each side then: Student's quantile for an eleventh of one percent,
// both sides together, and as many degrees of freedom as pairs that are not left out, less one.
struct Look {
  std::uint32_t pairs;
  double errors;
};
constexpr Look kSchedule[PairedTest::kLooks] = {{8, 7.013},   {12, 5.497},  {18, 4.495}, {27, 4.060},
                                                {40, 3.806},  {60, 3.625},  {90, 3.515}, {135, 3.446},
                                                {200, 3.403}, {300, 3.374}, {450, 3.355}};
static_assert(kSchedule[PairedTest::kLooks - 1].pairs == PairedTest::kMostPairs);

// Takes the square root by Newton's steps: the guest has no library of mathematics. Enough of them for what lies between a
// billionth and a billion.
double root_of(double square) {
  if (square <= 0) return 0;
  double root = square > 1 ? square : 1;
  for (int step = 0; step < 50; ++step) root = (root + square / root) / 2;
  return root;
}

}  // namespace

void PairedTest::note(double served, double heap) {
  if (is_over() || served + heap <= 0) return;
  const auto difference = static_cast<float>(2 * (served - heap) / (served + heap));
  std::uint32_t place = pairs_++;
  for (; place > 0 && differences_[place - 1] > difference; --place)
    differences_[place] = differences_[place - 1];
  differences_[place] = difference;
  if (pairs_ == kSchedule[looks_].pairs) look();
}

std::uint32_t PairedTest::pairs_to_look() const {
  return is_over() ? 0 : kSchedule[looks_].pairs - pairs_;
}

// The squares are those of all differences, where the ones that are left out count as the last one that is not.
void PairedTest::look() {
  const std::uint32_t trimmed = pairs_ / kTrimmed;
  const std::uint32_t last = pairs_ - trimmed - 1;
  const double kept = last - trimmed + 1;
  double sum = 0, all = 0, squares = 0;
  for (std::uint32_t at = trimmed; at <= last; ++at) sum += differences_[at];
  mean_ = sum / kept;
  all = sum + trimmed * (double{differences_[trimmed]} + differences_[last]);
  const double middle = all / pairs_;
  for (std::uint32_t at = 0; at < pairs_; ++at) {
    const double inside = differences_[at < trimmed ? trimmed : at > last ? last : at];
    squares += (inside - middle) * (inside - middle);
  }
  const double margin = kSchedule[looks_].errors * root_of(squares / (kept * (kept - 1)));
  ++looks_;
  low_ = mean_ - margin;
  high_ = mean_ + margin;
  if (low_ > -kNoticed && high_ < kNoticed)
    finding_ = Finding::kNoDifference;
  else if (high_ < 0)
    finding_ = Finding::kHelps;
  else if (low_ > 0)
    finding_ = Finding::kHarms;
  else if (looks_ == kLooks)
    finding_ = Finding::kCannotTell;
}

}  // namespace memo::runtime
