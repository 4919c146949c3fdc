// Tells from pairs of figures whether serving helps, and by how much, however often it is looked at.
//
//   a pair   what a request took, served and on the heap alone, one soon after the other, in an order that chance decided
//   a look   after 8, 12, 18, 27 … 450 pairs; each has an equal part of the one percent of false findings
//
// A pair counts by its difference, as a share of the mean of both. Whatever else disturbed one of the two might as well have
// disturbed the other, since chance decided which was which: where serving makes no difference, the differences lie evenly around
// nothing. A fifth of them on either side is left out, so that a few badly disturbed ones do not decide, and Student's interval for
// such a trimmed mean (Yuen's) holds. It knows no clock and no pass.
#pragma once

#include <cstdint>

#include "runtime/formats/live_page.h"

namespace memo::runtime {

class PairedTest {
 public:
  static constexpr std::uint32_t kLooks = 11;
  static constexpr std::uint32_t kMostPairs = 450;

  // Takes what a request took on both ways, in any unit. Looks if it is time to.
  void note(double served, double heap);

  void begin_anew() {
    pairs_ = looks_ = 0;
    mean_ = low_ = high_ = 0;
    finding_ = Finding::kNothingYet;
  }

  [[nodiscard]] Finding finding() const { return finding_; }
  [[nodiscard]] bool is_over() const { return finding_ != Finding::kNothingYet; }
  [[nodiscard]] std::uint32_t pairs() const { return pairs_; }

  // Returns how many pairs the next look still wants; 0 where none comes.
  [[nodiscard]] std::uint32_t pairs_to_look() const;

  // By which share of what it takes on the heap a request takes more where it is served: the mean, and the interval of the last
  // look. Less than 0: less. 0 before the first look.
  [[nodiscard]] double share() const { return as_share(mean_); }
  [[nodiscard]] double low() const { return as_share(low_); }
  [[nodiscard]] double high() const { return as_share(high_); }

 private:
  // Turns a share of the mean of both into one of the heap's figure.
  static double as_share(double difference) { return (2 + difference) / (2 - difference) - 1; }

  void look();

  std::uint32_t pairs_ = 0;
  std::uint32_t looks_ = 0;
  double mean_ = 0, low_ = 0, high_ = 0;
  float differences_[kMostPairs] = {};  // from the least to the greatest
  Finding finding_ = Finding::kNothingYet;
};

}  // namespace memo::runtime
