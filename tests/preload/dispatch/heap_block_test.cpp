// Proves that a block that moves takes along what both places have room for, and no more.
#include "preload/dispatch/heap_block.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace memo::guest {
namespace {

TEST(MoveContent, TakesWhatBothHaveRoomFor) {
  std::string fresh = "........";
  EXPECT_EQ(move_content(fresh.data(), "abcd", 4, 8), fresh.data());
  EXPECT_EQ(fresh, "abcd....");
  fresh = "........";
  move_content(fresh.data(), "abcdefgh", 8, 3);
  EXPECT_EQ(fresh, "abc.....");
}

}  // namespace
}  // namespace memo::guest
