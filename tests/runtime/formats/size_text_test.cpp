// Sizes are what people mean by them, or refused: a budget of another size than the user's would be silent.
#include "runtime/formats/size_text.h"

#include <gtest/gtest.h>

#include <optional>

namespace memo {
namespace {

std::optional<std::uint64_t> size_of(const char* text) {
  std::uint64_t bytes = 0;
  return read_size(text, &bytes) ? std::optional(bytes) : std::nullopt;
}

TEST(SizeText, ReadsNumbersWithAndWithoutUnits) {
  EXPECT_EQ(size_of("0"), 0U);
  EXPECT_EQ(size_of("4096"), 4096U);
  EXPECT_EQ(size_of("1K"), 1024U);
  EXPECT_EQ(size_of("256M"), 256U << 20);
  EXPECT_EQ(size_of("2g"), std::uint64_t{2} << 30);
  EXPECT_EQ(size_of("3GiB"), std::uint64_t{3} << 30);
  EXPECT_EQ(size_of("4Gi"), std::uint64_t{4} << 30);
  EXPECT_EQ(size_of("1TB"), std::uint64_t{1} << 40);
  EXPECT_EQ(size_of("18446744073709551615"), ~std::uint64_t{0});
}

TEST(SizeText, RefusesWhatIsNoSize) {
  for (const char* text : {"", "G", "-1", " 1", "1 G", "1.5G", "1X", "1Gii", "1GBi", "1GiBs", "1iB", "1i",
                           "1MM", "18446744073709551616", "99999999999T", "0x10"})
    EXPECT_EQ(size_of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace memo
