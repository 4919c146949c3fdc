// How well the passes on a lane keep to their plan.
//
// Operators lead a pass that departs from its plan; a pass that does not needs no lead. So operators are ignored after a row
// of passes that went as planned, and heard again from the first departure on. After a departure that came while operators
// were ignored, the row has to be four times as long. So a program whose passes depart now and then is led all the time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace memo::runtime {

class AsPlanned {
 public:
  void begin_anew() { *this = AsPlanned(); }

  [[nodiscard]] bool needs_no_lead() const { return row_ >= needed(); }

  // Returns true if operators are heard for the first time only, and will soon be ignored if passes go on as planned.
  [[nodiscard]] bool is_in_first_row() const { return raised_ == 0; }

  void note_as_planned() { row_ = std::min(row_ + 1, needed()); }

  void note_departure(bool without_lead) {
    row_ = 0;
    if (without_lead) raised_ = std::min(raised_ + 1, kMostRaised);
  }

 private:
  static constexpr std::uint32_t kFirstRow = 4;
  static constexpr std::uint32_t kMostRaised = 14;  // a row of 2^30 passes

  [[nodiscard]] std::uint32_t needed() const { return kFirstRow << 2 * raised_; }

  std::uint32_t row_ = 0;     // passes that went as planned, one after the other
  std::uint32_t raised_ = 0;  // departures without a lead
};

}  // namespace memo::runtime
