// Sorting by digits gives what comparing gives, for few items and for many, and keeps equal keys in their order.
#include "planner/placing/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "planner/placing/random.h"

namespace memo::planner {
namespace {

struct Item {
  std::int64_t key;
  std::size_t number;
  friend bool operator==(const Item&, const Item&) = default;
};

std::vector<Item> random_items(std::size_t count, std::size_t limit, std::int64_t unit) {
  Random random(count);
  std::vector<Item> items;
  for (std::size_t number = 0; number < count; ++number)
    items.push_back({static_cast<std::int64_t>(random.below(limit)) * unit, number});
  return items;
}

void expect_sorted_as_by_comparing(std::vector<Item> items) {
  std::vector<Item> expected = items;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Item& a, const Item& b) { return a.key < b.key; });
  std::vector<Item> spare;
  radix_sort(items, spare, [](const Item& item) { return item.key; });
  EXPECT_EQ(items, expected);
}

TEST(RadixSort, SortsAsComparingDoes) {
  for (const std::size_t count : {0u, 1u, 255u, 256u, 2'047u, 2'048u, 9'000u}) {
    for (const std::int64_t unit : {1, 64, 100}) {
      expect_sorted_as_by_comparing(random_items(count, 1'000, unit));
      expect_sorted_as_by_comparing(random_items(count, std::size_t{1} << 40, unit));
    }
  }
}

TEST(RadixSort, TakesKeysThatAreAllZeroAndThoseOfAllBits) {
  expect_sorted_as_by_comparing(random_items(3'000, 1, 1));
  std::vector<Item> items = random_items(3'000, 1'000, 1);
  items.front().key = std::numeric_limits<std::int64_t>::max();
  expect_sorted_as_by_comparing(items);
}

}  // namespace
}  // namespace memo::planner
