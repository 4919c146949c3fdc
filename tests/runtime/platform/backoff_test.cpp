// How long a back-off lasts: never shorter than the first length nor beyond the longest, whatever the limits and the factor,
// and the first again once it was forgotten.
#include "runtime/platform/backoff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace memo::runtime {
namespace {

using Lengths = std::vector<std::uint32_t>;
using Passes = Backoff<std::uint32_t>;

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

Lengths first_lengths(const Passes& backoff, std::size_t count) {
  Lengths lengths;
  for (std::uint32_t last = 0; lengths.size() < count; lengths.push_back(last)) last = backoff.after(last);
  return lengths;
}

TEST(Backoff, DoublesUnlessAFactorIsGiven) {
  constexpr Passes kDoubling{.first = 3, .longest = 20};
  constexpr Passes kFourfold{.first = 2, .longest = 600, .factor = 4};
  EXPECT_EQ(first_lengths(kDoubling, 5), (Lengths{3, 6, 12, 20, 20}));
  EXPECT_EQ(first_lengths(kFourfold, 7), (Lengths{2, 8, 32, 128, 512, 600, 600}));
}

// As where something else, which takes less time, comes before the first length.
TEST(Backoff, TheFirstLengthComesAfterAMuchShorterOne) {
  constexpr Backoff<std::int64_t> kLooks{.first = 20, .longest = 100};
  EXPECT_EQ(kLooks.after(2), 20);
}

TEST(Backoff, DoesNotWrapAround) {
  constexpr Passes kLong{.first = 1U << 30, .longest = kMost, .factor = 4};
  EXPECT_EQ(first_lengths(kLong, 3), (Lengths{1U << 30, kMost, kMost}));
}

Passes any_backoff() {
  const auto first = *rc::gen::inRange<std::uint32_t>(1, kMost);
  const auto longest = *rc::gen::inRange<std::uint32_t>(first, kMost);
  return {.first = first, .longest = longest, .factor = *rc::gen::inRange<std::uint32_t>(2, 9)};
}

RC_GTEST_PROP(Backoff, KeepsToItsLimitsAndReachesTheLongest, ()) {
  const Passes backoff = any_backoff();
  const Lengths lengths = first_lengths(backoff, 33);  // 2^32 is more than any limit here
  RC_ASSERT(std::is_sorted(lengths.begin(), lengths.end()));
  RC_ASSERT(lengths.front() == backoff.first);
  RC_ASSERT(lengths.back() == backoff.longest);
}

RC_GTEST_PROP(Backoff, IsWhatWiderNumbersSay, ()) {
  const Passes backoff = any_backoff();
  const auto last = *rc::gen::arbitrary<std::uint32_t>();
  const std::uint64_t longer = std::uint64_t{backoff.factor} * last;
  RC_ASSERT(backoff.after(last) == std::clamp<std::uint64_t>(longer, backoff.first, backoff.longest));
}

}  // namespace
}  // namespace memo::runtime
