// Pages at several addresses, as the kernel gives them: one byte in every window, until the windows are parted; then each window
// has its own, which begin alike, and a child shares none of them.
#include "preload/platform/page_windows.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "runtime/platform/limits.h"

namespace memo::guest::platform {
namespace {

constexpr int kBits = 2;
constexpr std::size_t kOpened = std::size_t{1} << 20;
constexpr std::size_t kPlace = 12345;

class PageWindowsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(make_windows(kBits, windows), nullptr);
    ASSERT_TRUE(open_windows(windows, 0, kOpened / 2) && open_windows(windows, kOpened / 2, kOpened / 2));
  }
  [[nodiscard]] volatile char& byte_in(std::size_t window) const {
    return reinterpret_cast<volatile char*>(windows.first + (window << windows.shift))[kPlace];
  }
  void expect_in_each(char first, char second, char third, char fourth) const {
    EXPECT_EQ(byte_in(0), first);
    EXPECT_EQ(byte_in(1), second);
    EXPECT_EQ(byte_in(2), third);
    EXPECT_EQ(byte_in(3), fourth);
  }
  PageWindows windows;
};

TEST_F(PageWindowsTest, ShowTheSameBytes) {
  EXPECT_EQ(windows.first % (std::uintptr_t{1} << (windows.shift + windows.bits)), 0U);
  byte_in(2) = 5;
  expect_in_each(5, 5, 5, 5);
  byte_in(0) = 6;
  expect_in_each(6, 6, 6, 6);
}

TEST_F(PageWindowsTest, AreEmptiedTogether) {
  byte_in(3) = 5;
  EXPECT_TRUE(empty_windows(reinterpret_cast<void*>(windows.first), kOpened));
  expect_in_each(0, 0, 0, 0);
}

TEST_F(PageWindowsTest, HaveTheirOwnBytesOnceParted) {
  byte_in(1) = 5;
  ASSERT_TRUE(part_windows(windows, kOpened));
  expect_in_each(5, 5, 5, 5);
  byte_in(1) = 6;
  byte_in(3) = 7;
  expect_in_each(5, 6, 5, 7);
  EXPECT_FALSE(empty_windows(reinterpret_cast<void*>(windows.first), kOpened));
  expect_in_each(5, 6, 5, 7);
}

TEST_F(PageWindowsTest, AreNotSharedWithAChildOnceParted) {
  byte_in(0) = 5;
  ASSERT_TRUE(part_windows(windows, kOpened));
  const pid_t child = fork();
  if (child == 0) {
    for (std::size_t window = 0; window < 4; ++window) byte_in(window) = 9;
    _exit(0);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  expect_in_each(5, 5, 5, 5);
}

TEST_F(PageWindowsTest, LieInMemoryThatFaultsUntilItIsOpened) {
  EXPECT_DEATH(reinterpret_cast<volatile char*>(windows.first)[kOpened] = 1, "");
}

// Returns what is said in a child that may have so much of something.
std::string refusal_under(__rlimit_resource_t limited, rlim_t most) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{most, most};
    setrlimit(limited, &limit);
    PageWindows windows;
    const char* refusal = make_windows(4, windows);
    const std::string text = refusal != nullptr ? refusal : "made of 2^" + std::to_string(windows.shift);
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  char text[200];
  const ssize_t length = read(ends[0], text, sizeof text);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return {text, length > 0 ? static_cast<std::size_t>(length) : 0};
}

TEST(LimitedPageWindows, AreSmallerOrRefused) {
  constexpr rlim_t kGibibyte = rlim_t{1} << 30;
  EXPECT_EQ(refusal_under(RLIMIT_AS, RLIM_INFINITY), "made of 2^36");
  const rlim_t mapped = runtime::own_pages().mapped;
  EXPECT_EQ(refusal_under(RLIMIT_AS, mapped + 100 * kGibibyte), "made of 2^30");
  EXPECT_NE(refusal_under(RLIMIT_AS, mapped + 2 * kGibibyte).find("ulimit -v"), std::string::npos);
  EXPECT_NE(refusal_under(RLIMIT_FSIZE, kGibibyte).find("ulimit -f"), std::string::npos);
  EXPECT_NE(refusal_under(RLIMIT_NOFILE, 0).find("mapped twice"), std::string::npos);
}

}  // namespace
}  // namespace memo::guest::platform
