// Proves the range of addresses whose release is routed: it grows, never shrinks, and may cover everything for a while. The
// tests share the one range of the process, so each uses addresses of its own.
#include "preload/route/route.h"

#include <gtest/gtest.h>

namespace memo::guest {
namespace {

const void* at(std::uintptr_t address) {
  return reinterpret_cast<const void*>(address);
}

constexpr std::uintptr_t kLow = 0x10'000'000;
constexpr std::uintptr_t kHigh = 0x30'000'000;
constexpr std::size_t kLength = 0x1000;

TEST(WatchedRange, CoversAllThatWasAskedForAndEverythingForAWhile) {
  watch_addresses(kHigh, kLength);
  EXPECT_TRUE(is_watched(at(kHigh)));
  EXPECT_TRUE(is_watched(at(kHigh + kLength - 1)));
  EXPECT_FALSE(is_watched(at(kHigh + kLength)));
  EXPECT_FALSE(is_watched(at(kLow)));

  watch_addresses(kLow, kLength);
  EXPECT_TRUE(is_watched(at(kLow)));
  EXPECT_TRUE(is_watched(at(kHigh + kLength - 1)));
  EXPECT_FALSE(is_watched(at(kLow - 1)));

  watch_everything();
  EXPECT_TRUE(is_watched(at(1)));
  EXPECT_TRUE(is_watched(at(kHigh + kLength)));
  watch_only_those_addresses();
  EXPECT_FALSE(is_watched(at(1)));
  EXPECT_TRUE(is_watched(at(kLow)));
}

TEST(WatchedRange, TakesTheHeapsPrivilegeAway) {
  watch_addresses(kLow, kLength);
  let_heap_alone_answer_if_nothing_is_watched();
  EXPECT_FALSE(g_heap_alone);
}

}  // namespace
}  // namespace memo::guest
