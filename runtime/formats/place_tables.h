// Which variants of a plan share a table of the places of their large slots: those that follow each other and have one key, until the
// table would have more than kMaxTableSlots: the more places, the longer the masks. Most of the variants' places are those of others, so
// that there are fewer. A variant that has more by itself shares with none.
#pragma once

#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::runtime {

// The variants of a table: from the first that was asked for to before `end`.
struct PlaceTable {
  std::uint32_t end;
  std::uint32_t large;  // places of all of them, as count_places() counts them: there are no more
};

// Returns the table that begins with this variant of so many. `key_of` and `large_of` say a variant's key, and how many places it
// has.
template <typename KeyOf, typename LargeOf>
constexpr PlaceTable place_table_from(std::uint32_t first, std::uint32_t variants, const KeyOf& key_of,
                                      const LargeOf& large_of) {
  PlaceTable table{.end = first, .large = 0};
  while (table.end < variants && key_of(table.end) == key_of(first)) {
    const std::uint32_t more = large_of(table.end);
    if (table.end != first && table.large + more > kMaxTableSlots) break;
    table.large += more;
    ++table.end;
  }
  return table;
}

}  // namespace memo::runtime
