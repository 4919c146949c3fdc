// Proves the words and figures that the command prints: sizes, shares over a bound, and text inside of markup.
#include <gtest/gtest.h>

#include "planner/tool/text/markup.h"
#include "planner/tool/text/numbers.h"

namespace memo::planner {
namespace {

TEST(Numbers, BytesComeInTheUnitThatFits) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(1023), "1023 bytes");
  EXPECT_EQ(human_bytes(1024), "1.00 KiB");
  EXPECT_EQ(human_bytes(3 * 1024 * 1024 / 2), "1.50 MiB");
}

TEST(Numbers, OverASmallBoundBytesSayMoreThanShares) {
  EXPECT_EQ(over_bound(8192, 8192), "0 %");
  EXPECT_EQ(over_bound(10'240, 8192), "25.00 %");
  EXPECT_EQ(over_bound(256, 64), "192 bytes");
  EXPECT_EQ(over_bound(64, 0), "0 %");
}

TEST(Markup, TextOpensNoElementAndNoEntity) {
  EXPECT_EQ(safe_in_markup("a<b>&amp;"), "a&lt;b&gt;&amp;amp;");
}

}  // namespace
}  // namespace memo::planner
