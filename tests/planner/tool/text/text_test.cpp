// Proves the words and figures that the command prints: sizes, shares over a bound, text inside of markup, and text of strangers.
#include <gtest/gtest.h>

#include "planner/tool/text/markup.h"
#include "planner/tool/text/numbers.h"
#include "planner/tool/text/plain.h"

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

TEST(Plain, TextOfStrangersMovesNoCursor) {
  EXPECT_EQ(plain_text("/etc/ä.plan"), "/etc/ä.plan");
  EXPECT_EQ(plain_text("\x1b[2J\n\x7f\xc2\x9b"
                       "1m"),
            "?[2J???1m");
  EXPECT_EQ(plain_text("\xff"
                       "a\xc3"),
            "\xef\xbf\xbd"
            "a\xef\xbf\xbd");
  EXPECT_EQ(plain_text(""), "");
}

}  // namespace
}  // namespace memo::planner
