// Sorts by a number that is not negative, byte by byte: several times as fast as comparing for some hundred items or more.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memo::planner {

// Sorts the items by key(item). `spare` is memory that is kept from call to call. Equal keys keep their order.
//
// A pass sorts by one digit. Low bits that are 0 in all keys, as those of aligned offsets are, belong to none. Many items
// pay for the counters of wide digits, and so take fewer passes.
template <typename Item, typename Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare, Key key) {
  constexpr std::size_t kWorthIt = 256;
  constexpr std::size_t kMany = 2048;
  constexpr unsigned kMostBits = 12;
  if (items.size() < kWorthIt) {
    std::stable_sort(items.begin(), items.end(),
                     [&](const Item& a, const Item& b) { return key(a) < key(b); });
    return;
  }
  std::uint64_t all = 0;
  for (const Item& item : items) all |= static_cast<std::uint64_t>(key(item));
  const unsigned bits = items.size() < kMany ? 8 : kMostBits;
  const std::uint64_t digits = std::uint64_t{1} << bits;
  spare.resize(items.size());
  const auto first = all == 0 ? 0U : static_cast<unsigned>(std::countr_zero(all));
  for (unsigned shift = first; shift < 64 && all >> shift != 0; shift += bits) {
    const auto digit = [&](const Item& item) {
      return (static_cast<std::uint64_t>(key(item)) >> shift) & (digits - 1);
    };
    std::array<std::uint32_t, (1U << kMostBits) + 1> next;
    std::fill_n(next.begin(), digits + 1, 0U);
    for (const Item& item : items) ++next[digit(item) + 1];
    for (std::size_t d = 1; d < digits; ++d) next[d] += next[d - 1];
    for (const Item& item : items) spare[next[digit(item)]++] = item;
    items.swap(spare);
  }
}

}  // namespace memo::planner
