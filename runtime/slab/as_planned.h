// How well the passes on a lane keep to their plan.
//
// Operators lead a pass that departs from its plan; a pass that does not needs no lead. So operators are ignored after a row
// of passes that went as planned, and heard again from the first departure on. After a departure that came while operators
// were ignored, the row has to be four times as long. So a program whose passes depart now and then is led all the time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/platform/backoff.h"

namespace memo::runtime {

class AsPlanned {
 public:
  void begin_anew() { *this = AsPlanned(); }

  [[nodiscard]] bool needs_no_lead() const { return row_ >= needed(); }

  void note_as_planned() { row_ = std::min(row_ + 1, needed()); }

  void note_departure(bool without_lead) {
    row_ = 0;
    if (without_lead) departed_after_ = needed();
  }

 private:
  static constexpr Backoff<std::uint32_t> kRows{.first = 4, .longest = 1U << 30, .factor = 4};  // passes

  [[nodiscard]] std::uint32_t needed() const { return kRows.after(departed_after_); }

  std::uint32_t row_ = 0;             // passes that went as planned, one after the other
  std::uint32_t departed_after_ = 0;  // the row that was needed at the last departure without a lead; 0: none
};

}  // namespace memo::runtime
