// Tests what the example promises to those who use it as a specimen: a pass allocates like a framework's, the same each time,
// and its boundaries can be found from outside.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/server/process.h"

namespace mini::testing {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mini_count.XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct PassCount {
  std::uint64_t allocations;
  std::uint64_t bytes;
  std::uint64_t frees;
  bool operator==(const PassCount&) const = default;
};

std::vector<PassCount> counts_of_five_passes(const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string report = folder.file("counts");
  std::vector<std::string> all = options;
  all.insert(all.end(), {"--requests", "5"});
  MiniServer server(all, {{"LD_PRELOAD", MINI_COUNT_LIBRARY}, {"MINI_COUNT", report}});
  EXPECT_EQ(server.load({"--connections", "2", "--requests", "5", "--warmup", "0"}).status, 0);
  EXPECT_EQ(server.process().wait().status, 0);
  std::vector<PassCount> counts;
  std::ifstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json pass = nlohmann::json::parse(line);
    counts.push_back({pass["allocations"], pass["bytes"], pass["frees"]});
  }
  return counts;
}

TEST(MiniCount, EveryPassAllocatesAlikeAndMoreThanAThousandTimes) {
  const std::vector<PassCount> counts = counts_of_five_passes({"--image", "96"});
  ASSERT_EQ(counts.size(), 5U);
  EXPECT_GT(counts[0].allocations, 1000U);
  EXPECT_GT(counts[0].bytes, 10'000'000U);
  for (const PassCount& count : counts) EXPECT_EQ(count, counts[0]);
}

TEST(MiniCount, NothingOutlivesItsPass) {
  for (const PassCount& count : counts_of_five_passes({"--image", "32"}))
    EXPECT_EQ(count.allocations, count.frees);
}

TEST(MiniCount, ShapesAllocateDifferentlyAndTheOrderOfBranchesDoesNotMatter) {
  const PassCount small = counts_of_five_passes({"--image", "32"}).at(0);
  EXPECT_NE(small, counts_of_five_passes({"--image", "64"}).at(0));
  EXPECT_NE(small, counts_of_five_passes({"--image", "32", "--batch", "2"}).at(0));
  EXPECT_EQ(small, counts_of_five_passes({"--image", "32", "--swap-branches"}).at(0));
}

}  // namespace
}  // namespace mini::testing
