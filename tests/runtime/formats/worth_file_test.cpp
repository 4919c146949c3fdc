// What was found of a plan, as a file. Failure: a file that was cut or damaged, or that is of another plan or another version, is
// taken for one, or a finding counts for ever.
#include "runtime/formats/worth_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace memo {
namespace {

constexpr std::uint64_t kPlan = 0x0123456789abcdef;
constexpr char kLibrary[] = "1.2.3";
constexpr std::int64_t kNow = 1'800'000'000;

Worth worth_found_at(std::int64_t when) {
  Worth worth{};
  worth.finding = Finding::kHarms;
  worth.share = 0.05;
  worth.pairs = 40;
  worth.found_at = when;
  return worth;
}

WorthFile whole_file() {
  WorthFile file = worth_file_of(kPlan, kLibrary);
  file.kinds[file.count++] = {.key = 7, .passes = 100, .worth = worth_found_at(kNow)};
  file.checksum = checksum_of(file);
  return file;
}

TEST(WorthFile, IsOfOnePlanAndOneVersion) {
  EXPECT_TRUE(is_worth_file_of(whole_file(), kPlan, kLibrary));
  EXPECT_FALSE(is_worth_file_of(whole_file(), kPlan + 1, kLibrary));
  EXPECT_FALSE(is_worth_file_of(whole_file(), kPlan, "1.2.4"));
  EXPECT_FALSE(is_worth_file_of(whole_file(), kPlan, "1.2.3.4"));
}

TEST(WorthFile, KeepsWithinItsRoomWhateverTheVersionIsCalled) {
  const char* longer = "1.2.3-with-a-name-of-its-own";
  WorthFile file = worth_file_of(kPlan, longer);
  file.checksum = checksum_of(file);
  EXPECT_TRUE(is_worth_file_of(file, kPlan, longer));
}

RC_GTEST_PROP(WorthFile, IsNoneOnceAnyByteOfItIsAnother, ()) {
  WorthFile file = whole_file();
  const auto place = *rc::gen::inRange<std::size_t>(0, sizeof file);
  const auto difference = *rc::gen::inRange(1, 256);
  unsigned char& byte = reinterpret_cast<unsigned char*>(&file)[place];
  byte = static_cast<unsigned char>(byte ^ difference);
  RC_ASSERT(!is_worth_file_of(file, kPlan, kLibrary));
}

// A reader fills what a file lacks with nothing.
RC_GTEST_PROP(WorthFile, IsNoneOnceItIsCut, ()) {
  const WorthFile file = whole_file();
  WorthFile cut{};
  std::memcpy(&cut, &file, *rc::gen::inRange<std::size_t>(0, sizeof file - sizeof file.checksum));
  RC_ASSERT(!is_worth_file_of(cut, kPlan, kLibrary));
}

TEST(WorthFile, ClaimsNoMoreKindsThanItHas) {
  WorthFile file = whole_file();
  file.count = kMostFoundKinds + 1;
  file.checksum = checksum_of(file);
  EXPECT_FALSE(is_worth_file_of(file, kPlan, kLibrary));
}

TEST(Finding, CountsForThreeDays) {
  EXPECT_TRUE(still_counts(worth_found_at(kNow), kNow));
  EXPECT_TRUE(still_counts(worth_found_at(kNow - kFindingCounts + 1), kNow));
  EXPECT_FALSE(still_counts(worth_found_at(kNow - kFindingCounts), kNow));
}

TEST(Finding, CountsNoLongerWhereTheClockWasSetBack) {
  EXPECT_TRUE(still_counts(worth_found_at(kNow + 60), kNow));
  for (const std::int64_t when : {kNow + kFindingCounts, std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()})
    EXPECT_FALSE(still_counts(worth_found_at(when), kNow));
}

TEST(Finding, CountsWhereItIsOne) {
  Worth worth = worth_found_at(kNow);
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{5}, ~std::uint64_t{0}}) {
    worth.finding = static_cast<Finding>(number);
    EXPECT_FALSE(still_counts(worth, kNow));
  }
}

}  // namespace
}  // namespace memo
