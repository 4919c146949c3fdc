// Tells which word was meant by a misspelt one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace memo::runtime {

inline constexpr std::size_t kLongestCompared = 40;  // letters of a word

// Returns how many letters must be inserted, removed, replaced or swapped with the next to make one word the other.
// Neither may have more than kLongestCompared letters.
constexpr unsigned edit_distance(std::string_view from, std::string_view to) {
  unsigned rows[3][kLongestCompared + 1] = {};  // the distances of the last three beginnings of `from`
  for (std::size_t x = 0; x <= to.size(); ++x) rows[0][x] = static_cast<unsigned>(x);
  for (std::size_t y = 1; y <= from.size(); ++y) {
    unsigned* row = rows[y % 3];
    const unsigned* above = rows[(y + 2) % 3];
    const unsigned* before = rows[(y + 1) % 3];
    row[0] = static_cast<unsigned>(y);
    for (std::size_t x = 1; x <= to.size(); ++x) {
      const unsigned replaced = above[x - 1] + (from[y - 1] == to[x - 1] ? 0 : 1);
      row[x] = std::min(std::min(replaced, above[x] + 1), row[x - 1] + 1);
      const bool swapped = y > 1 && x > 1 && from[y - 1] == to[x - 2] && from[y - 2] == to[x - 1];
      if (swapped) row[x] = std::min(row[x], before[x - 2] + 1);
    }
  }
  return rows[from.size() % 3][to.size()];
}

}  // namespace memo::runtime
