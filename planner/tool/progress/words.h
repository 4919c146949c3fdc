// Puts progress into words: a line with a bar for a terminal, and a sentence for a log.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "planner/tool/progress/pace.h"

namespace memo::progress {

// What a line says.
struct Figures {
  std::optional<double> share;
  Seconds elapsed{};
  std::optional<TimeLeft> left;
  std::string what;
};

// Returns "8 s", "3 min 20 s" or "2 h 5 min".
[[nodiscard]] std::string duration_text(Seconds time);

// Returns a line that is no wider than this many columns: "[####----]  50 %  12 s, about 12 s left  round 3 of 5".
// Leaves the bar out where it has too little room.
[[nodiscard]] std::string bar_text(const Figures& figures, std::size_t columns);

// Returns "round 3 of 5: 50 % after 12 s, about 12 s left", or "reading, 12 s so far".
[[nodiscard]] std::string sentence(const Figures& figures);

}  // namespace memo::progress
