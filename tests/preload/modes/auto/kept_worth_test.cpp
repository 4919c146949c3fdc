// What was found of a plan, kept from one start to the next. One finding is made in this process, by passes that take longer where
// they are served; those of other starts are written down by hand. Failure: a finding that is lost or that counts where it should not,
// or a file that keeps the program from running.
#include "preload/modes/auto/kept_worth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>

#include "runtime/formats/worth_file.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/effort.h"
#include "runtime/worth/worth.h"
#include "tests/preload/temporary_folder.h"

namespace memo::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPlan = 4711;  // a checksum
constexpr std::uint64_t kFoundHere = 1;
constexpr std::int64_t kHour = 60 * 60;

char g_thread;  // its address names a thread

std::int64_t now_since_1970() {
  return runtime::nanoseconds_since_1970() / runtime::kSecond;
}

void work_for(std::uint64_t nanoseconds) {
  const std::uint64_t end = runtime::nanoseconds_worked_by_thread() + nanoseconds;
  while (runtime::nanoseconds_worked_by_thread() < end) continue;
}

runtime::Way begin_pass(std::uint64_t key) {
  runtime::count_passes(runtime::kind_of(key));
  return runtime::way_of(runtime::kind_of(key), &g_thread, true);
}

// Runs passes that take half as long again where they are served, until that is known.
void find_harm(std::uint64_t key) {
  const std::uint64_t before = runtime::findings_made();
  while (runtime::findings_made() == before)
    work_for(begin_pass(key) == runtime::Way::kSlab ? 60'000 : 40'000);
}

FoundKind found(std::uint64_t key, std::int64_t age, std::uint64_t pairs = 40) {
  FoundKind kind{};
  kind.key = key;
  kind.passes = 1000;
  kind.worth.finding = Finding::kHarms;
  kind.worth.share = 0.2;
  kind.worth.pairs = pairs;
  kind.worth.found_at = now_since_1970() - age;
  return kind;
}

class KeptWorth : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    runtime::compare_ways(runtime::WhoPlans::kLibrary);
    find_harm(kFoundHere);
  }

  void write(std::initializer_list<FoundKind> kinds, const char* library = MEMOMALLOC_VERSION) const {
    WorthFile file = worth_file_of(kPlan, library);
    for (const FoundKind& kind : kinds) file.kinds[file.count++] = kind;
    write(file);
  }
  void write(WorthFile& file, std::size_t bytes = sizeof(WorthFile)) const {
    file.checksum = checksum_of(file);
    std::ofstream(file_, std::ios::binary)
        .write(reinterpret_cast<const char*>(&file), static_cast<std::streamsize>(bytes));
  }

  // Returns what the file has of this kind of pass; of no key where it has nothing.
  [[nodiscard]] FoundKind kept_of(std::uint64_t key) const {
    WorthFile file{};
    std::ifstream(file_, std::ios::binary).read(reinterpret_cast<char*>(&file), sizeof file);
    EXPECT_TRUE(is_worth_file_of(file, kPlan, MEMOMALLOC_VERSION));
    const FoundKind* begin = file.kinds;
    const FoundKind* end = begin + std::min(file.count, kMostFoundKinds);
    const FoundKind* kind = std::find_if(begin, end, [&](const FoundKind& one) { return one.key == key; });
    return kind == end ? FoundKind{} : *kind;
  }

  void keep() const { EXPECT_TRUE(keep_findings(plan_.c_str(), kPlan)); }
  void take_over() const { take_over_findings(plan_.c_str(), kPlan); }

  const memo::testing::TemporaryFolder holder_;
  const std::string plan_ = holder_.file("a.plan");
  const std::string file_ = plan_ + kWorthSuffix;
};

TEST_F(KeptWorth, LiesBesideThePlan) {
  keep();
  const FoundKind kept = kept_of(kFoundHere);
  EXPECT_EQ(kept.worth.finding, Finding::kHarms);
  EXPECT_NEAR(kept.worth.share, 0.5, 0.3);
  EXPECT_GT(kept.passes, 16U);
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(plan_).parent_path()), fs::directory_iterator()), 1)
      << "something is left of the writing";
}

TEST_F(KeptWorth, LetsPassesStandAsideFromTheFirstOneOn) {
  write({found(2, kHour)});
  take_over();
  EXPECT_EQ(begin_pass(2), runtime::Way::kHeap);
}

TEST_F(KeptWorth, IsForgottenAfterThreeDays) {
  write({found(3, kFindingCounts + 1)});
  take_over();
  EXPECT_NE(begin_pass(3), runtime::Way::kHeap);
  keep();
  EXPECT_EQ(kept_of(3).key, 0U);
}

TEST_F(KeptWorth, SaysNothingOfAnotherPlanOrAnotherVersion) {
  write({found(4, kHour)});
  take_over_findings(plan_.c_str(), kPlan + 1);
  EXPECT_NE(begin_pass(4), runtime::Way::kHeap);
  write({found(4, kHour)}, "0.0.0");
  take_over();
  EXPECT_NE(begin_pass(4), runtime::Way::kHeap);
  keep();
  EXPECT_EQ(kept_of(4).key, 0U) << "it is of another version";
}

TEST_F(KeptWorth, KeepsWhatOthersFound) {
  write({found(5, kHour)});
  keep();
  EXPECT_EQ(kept_of(5).key, 5U);
  EXPECT_EQ(kept_of(kFoundHere).key, kFoundHere);
}

TEST_F(KeptWorth, KeepsTheFindingWithMostPairsOfThoseThatWereMadeTogether) {
  write({found(kFoundHere, 60, 1'000'000)});
  keep();
  EXPECT_EQ(kept_of(kFoundHere).worth.pairs, 1'000'000U);
}

TEST_F(KeptWorth, KeepsTheLaterFindingOtherwise) {
  write({found(kFoundHere, kHour, 1'000'000)});
  keep();
  EXPECT_LT(kept_of(kFoundHere).worth.pairs, 1'000'000U);
}

TEST_F(KeptWorth, LetsTheOldestGoWhereThereIsNoRoom) {
  WorthFile file = worth_file_of(kPlan, MEMOMALLOC_VERSION);
  while (file.count < kMostFoundKinds) {
    const std::uint32_t number = file.count++;
    file.kinds[number] = found(100 + number, number == 20 ? 2 * kHour : kHour);
  }
  write(file);
  keep();
  EXPECT_EQ(kept_of(kFoundHere).key, kFoundHere);
  EXPECT_EQ(kept_of(120).key, 0U);
  EXPECT_EQ(kept_of(100).key, 100U);
  EXPECT_EQ(kept_of(100 + kMostFoundKinds - 1).key, 100U + kMostFoundKinds - 1);
}

TEST_F(KeptWorth, CostsNothingButItselfWhereItCannotBeWritten) {
  EXPECT_TRUE(keep_findings("/proc/no such folder/a.plan", kPlan));
  EXPECT_TRUE(keep_findings("", kPlan)) << "there is no plan";
  EXPECT_TRUE(keep_findings(std::string(511, 'n').c_str(), kPlan)) << "the path was cut";
  fs::create_directory(file_);
  keep();
  take_over();
  EXPECT_TRUE(fs::is_directory(file_));
}

TEST_F(KeptWorth, IsNoneWhereTheFileWasCut) {
  WorthFile file = worth_file_of(kPlan, MEMOMALLOC_VERSION);
  file.kinds[file.count++] = found(6, kHour);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, sizeof file / 2, sizeof file - 1}) {
    write(file, bytes);
    take_over();
    EXPECT_NE(begin_pass(6), runtime::Way::kHeap) << bytes;
  }
}

}  // namespace
}  // namespace memo::guest
