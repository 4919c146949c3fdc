// What the commands say of the findings that the library keeps beside a plan. Failure: a finding of another plan or of long ago, or
// one of a kind that hardly runs.
#include "planner/tool/served/found_worth.h"

#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <initializer_list>
#include <string>

#include "planner/system/temporary_folder.h"
#include "runtime/formats/worth_file.h"

namespace memo::planner {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kChecksum = 4711;

template <typename T>
void write(const fs::path& path, const T& content) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&content), sizeof content);
}

FoundKind found(Finding finding, double share, std::uint64_t passes, std::int64_t age = 60) {
  FoundKind kind{};
  kind.key = passes;
  kind.passes = passes;
  kind.worth.finding = finding;
  kind.worth.share = share;
  kind.worth.low = share - 0.005;
  kind.worth.high = share + 0.005;
  kind.worth.pairs = 40;
  kind.worth.found_at = static_cast<std::int64_t>(std::time(nullptr)) - age;
  return kind;
}

class FoundWorthTest : public ::testing::Test {
 protected:
  FoundWorthTest() {
    PlanHeader header{};
    header.checksum = kChecksum;
    write(plan_, header);
  }

  void keep(std::initializer_list<FoundKind> kinds, std::uint64_t plan = kChecksum,
            const char* library = MEMOMALLOC_VERSION) const {
    WorthFile file = worth_file_of(plan, library);
    for (const FoundKind& kind : kinds) file.kinds[file.count++] = kind;
    file.checksum = checksum_of(file);
    write(found_worth_path(plan_), file);
  }

  const process::TemporaryFolder folder_{"found-worth-test"};
  const fs::path plan_ = folder_.path() / "a.plan";
};

TEST_F(FoundWorthTest, IsASentenceWithItsDay) {
  keep({found(Finding::kHelps, -0.041, 100)});
  const auto worth = read_found_worth(plan_);
  ASSERT_TRUE(worth);
  EXPECT_TRUE(worth->sentence.starts_with(
      "a request takes 4.1 % (3.6 to 4.6) less processor time than on the heap (found 20"))
      << worth->sentence;
  EXPECT_FALSE(worth->harms);
}

TEST_F(FoundWorthTest, IsOfTheKindWithMostPasses) {
  keep({found(Finding::kHelps, -0.1, 100), found(Finding::kHarms, 0.2, 1000),
        found(Finding::kNoDifference, 0, 10)});
  const auto worth = read_found_worth(plan_);
  ASSERT_TRUE(worth);
  EXPECT_TRUE(worth->harms);
  EXPECT_NE(worth->sentence.find("takes 20.0 %"), std::string::npos) << worth->sentence;
}

TEST_F(FoundWorthTest, IsNoneWhereItCountsNoMore) {
  EXPECT_FALSE(read_found_worth(plan_)) << "nothing was kept";
  keep({found(Finding::kHarms, 0.2, 1000, kFindingCounts + 1)});
  EXPECT_FALSE(read_found_worth(plan_));
  keep({found(Finding::kHarms, 0.2, 1000)}, kChecksum + 1);
  EXPECT_FALSE(read_found_worth(plan_));
  keep({found(Finding::kHarms, 0.2, 1000)}, kChecksum, "0.0.0");
  EXPECT_FALSE(read_found_worth(plan_));
}

TEST_F(FoundWorthTest, IsNoneWhereAFileIsCutOrGone) {
  keep({found(Finding::kHarms, 0.2, 1000)});
  fs::resize_file(found_worth_path(plan_), sizeof(WorthFile) - 1);
  EXPECT_FALSE(read_found_worth(plan_));
  keep({found(Finding::kHarms, 0.2, 1000)});
  fs::remove(plan_);
  EXPECT_FALSE(read_found_worth(plan_));
}

}  // namespace
}  // namespace memo::planner
