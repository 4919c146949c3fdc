// Proves the small means of the platform: numbers in digits, errno kept, and the question whether a word may be written to.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <climits>

#include "preload/platform/decimal.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

TEST(Decimal, WritesTheLeastAndTheGreatestNumber) {
  EXPECT_STREQ(Decimal(0).text(), "0");
  EXPECT_STREQ(Decimal(1234567890).text(), "1234567890");
  EXPECT_STREQ(Decimal(ULONG_MAX).text(), "18446744073709551615");
}

TEST(KeptErrno, IsThereAgainAtTheEnd) {
  errno = ERANGE;
  {
    const KeptErrno kept;
    errno = ENOENT;
  }
  EXPECT_EQ(errno, ERANGE);
}

TEST(IsWritable, TellsPagesApartAndLeavesTheirWords) {
  constexpr std::size_t kPage = 4096;
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* word = static_cast<unsigned long*>(page);
  *word = 42;
  EXPECT_TRUE(platform::is_writable(word));
  EXPECT_EQ(*word, 42);
  ASSERT_EQ(mprotect(page, kPage, PROT_READ), 0);
  EXPECT_FALSE(platform::is_writable(word));
  EXPECT_EQ(*word, 42);
  ASSERT_EQ(munmap(page, kPage), 0);
}

}  // namespace
}  // namespace memo::guest
