// Moments as the log writes them. A failure means that lines of the log cannot be laid beside those of other programs.
#include "preload/log/utc_time.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace memo::guest {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMillisecond;
constexpr std::int64_t kDay = 86'400;  // seconds

TEST(UtcTime, BeginsIn1970) {
  EXPECT_STREQ(UtcTime(0).text(), "1970-01-01T00:00:00.000Z");
}

TEST(UtcTime, HasMillisecondsAndCutsTheRest) {
  EXPECT_STREQ(UtcTime(1'700'000'000 * kSecond + 45 * kMillisecond + 999'999).text(),
               "2023-11-14T22:13:20.045Z");
}

TEST(UtcTime, KnowsLeapDays) {
  EXPECT_STREQ(UtcTime(951'782'400 * kSecond).text(), "2000-02-29T00:00:00.000Z");
  EXPECT_STREQ(UtcTime(1'709'251'199 * kSecond).text(), "2024-02-29T23:59:59.000Z");
}

TEST(UtcTime, AgreesWithTheCLibraryOnEveryDayOfTwoCenturies) {
  for (std::int64_t day = 0; day < 366 * 200; ++day) {
    const time_t seconds = day * kDay;
    tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    ASSERT_STREQ(UtcTime(seconds * kSecond).text(), text);
  }
}

}  // namespace
}  // namespace memo::guest
