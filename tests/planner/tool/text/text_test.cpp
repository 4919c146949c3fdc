// Proves the words and figures that the command prints: sizes, shares over a bound, shapes, and text inside of markup.
#include <gtest/gtest.h>

#include "planner/tool/text/markup.h"
#include "planner/tool/text/numbers.h"
#include "planner/tool/text/shapes.h"

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

TEST(Shapes, OneLayoutIsComparedWithTheLargestAlone) {
  const ShapesOfStructure unplanned{.shapes = 3, .least = 1024, .most = 2048};
  EXPECT_EQ(describe(unplanned), "3 of one structure, asking for 1.00 KiB to 2.00 KiB");
  const ShapesOfStructure planned{.shapes = 3, .least = 1024, .most = 2048, .joint = 1100, .alone = 1000};
  EXPECT_EQ(describe(planned), describe(unplanned) + ": one layout, 10.0 % over the largest alone");
}

TEST(Markup, TextOpensNoElementAndNoEntity) {
  EXPECT_EQ(safe_in_markup("a<b>&amp;"), "a&lt;b&gt;&amp;amp;");
}

}  // namespace
}  // namespace memo::planner
