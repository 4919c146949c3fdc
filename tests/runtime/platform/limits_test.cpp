// The limits of control groups, of memory and of processors, read from folders that look like the kernel's: both versions of the interface, nested
// groups, a container that sees only a part of its path, and everything that may be missing.
#include "runtime/platform/limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace memo::runtime {
namespace {

namespace fs = std::filesystem;

class Groups : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(all()); }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] std::string own() const { return root_ / "cgroup"; }
  [[nodiscard]] std::string all() const { return root_ / "sys"; }

  void in_group(const std::string& lines) { std::ofstream(own()) << lines; }
  void version2(const std::string& group, const std::string& limit, const std::string& anon) {
    write(all() + group, "memory.max", limit + "\n");
    write(all() + group, "memory.stat", "anon " + anon + "\nfile 999999\nanon_thp 5\n");
  }
  void version1(const std::string& group, const std::string& limit, const std::string& rss) {
    write(all() + "/memory" + group, "memory.limit_in_bytes", limit + "\n");
    write(all() + "/memory" + group, "memory.stat",
          "cache 999999\nrss 1\ntotal_cache 7\ntotal_rss " + rss + "\n");
  }
  void processors2(const std::string& group, const std::string& line) {
    write(all() + group, "cpu.max", line + "\n");
  }
  void processors1(const std::string& group, const std::string& quota) {
    write(all() + "/cpu" + group, "cpu.cfs_quota_us", quota + "\n");
    write(all() + "/cpu" + group, "cpu.cfs_period_us", "100000\n");
  }
  [[nodiscard]] std::uint32_t processors() const {
    const std::string file = own();
    const std::string folder = all();
    return usable_processors({.own = file.c_str(), .all = folder.c_str()});
  }
  [[nodiscard]] std::uint64_t room() const {
    const std::string file = own();
    const std::string folder = all();
    return room_in_groups({.own = file.c_str(), .all = folder.c_str()});
  }

 private:
  static void write(const fs::path& folder, const std::string& name, const std::string& text) {
    fs::create_directories(folder);
    std::ofstream(folder / name) << text;
  }

  const fs::path root_ = fs::temp_directory_path() / ("memomalloc-groups-" + std::to_string(getpid()));
};

TEST_F(Groups, LeaveWhatTheirLimitLeaves) {
  in_group("0::/web\n");
  version2("/web", "1000000", "400000");
  EXPECT_EQ(room(), 600'000u);
}

TEST_F(Groups, OfTheFirstVersionAreReadToo) {
  in_group("12:cpu,cpuacct:/web\n4:hugetlb,memory:/web\n0::/\n");
  version1("/web", "5000", "2000");
  EXPECT_EQ(room(), 3000u);
}

TEST_F(Groups, AroundTheOwnOneCount) {
  in_group("0::/pod/web\n");
  version2("/pod", "1000", "900");
  version2("/pod/web", "700", "100");
  EXPECT_EQ(room(), 100u);
}

// Docker without a name space of its own: the path is the host's, what is mounted is the container's.
TEST_F(Groups, OfTheHostWhoseContainerIsMountedCount) {
  in_group("4:memory:/docker/0123456789ab\n");
  version1("", "8000", "1000");
  EXPECT_EQ(room(), 7000u);
}

TEST_F(Groups, WithoutALimitLeaveEverything) {
  in_group("4:memory:/a\n0::/b\n");
  version1("/a", "9223372036854771712", "5");
  version2("/b", "max", "5");
  EXPECT_EQ(room(), kNoLimit);
}

TEST_F(Groups, ThatAreFullLeaveNothing) {
  in_group("0::/web\n");
  version2("/web", "1000", "2000");
  EXPECT_EQ(room(), 0u);
}

TEST_F(Groups, ThatCannotBeReadLimitNothing) {
  EXPECT_EQ(room(), kNoLimit);
  for (const char* odd : {"", "\n\n", "nonsense", "1:memory", "::", "4:memory:/gone\n0::/gone/too\n"}) {
    in_group(odd);
    EXPECT_EQ(room(), kNoLimit) << odd;
  }
}

TEST_F(Groups, GrantProcessorsAndAPartOfOneIsOne) {
  in_group("0::/pod/web\n");
  processors2("/pod/web", "max 100000");
  const std::uint32_t own = processors();
  ASSERT_GE(own, 1u);
  processors2("/pod", "50000 100000");
  EXPECT_EQ(processors(), 1u);
  processors2("/pod", "110000 100000");
  EXPECT_EQ(processors(), std::min(own, 2u));
  processors2("/pod", "9900000 100000");
  EXPECT_EQ(processors(), own) << "the affinity is tighter";
}

TEST_F(Groups, OfTheFirstVersionGrantProcessorsToo) {
  in_group("12:cpu,cpuacct:/web\n4:memory:/web\n");
  processors1("/web", "-1");
  const std::uint32_t own = processors();
  processors1("/web", "70000");
  EXPECT_EQ(processors(), 1u);
  processors1("/web", "100001");
  EXPECT_EQ(processors(), std::min(own, 2u));
}

TEST_F(Groups, ThatSayNothingOfUseGrantAllProcessors) {
  in_group("0::/web\n");
  const std::uint32_t own = processors();
  for (const char* odd : {"", "100000", "50000 0", "nonsense"}) {
    processors2("/web", odd);
    EXPECT_EQ(processors(), own) << odd;
  }
}

TEST(Addresses, HaveNoLimitUnlessThereIsOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "there is a limit of address space";
  EXPECT_EQ(room_of_addresses(), kNoLimit);
}

TEST(Addresses, ThatAreMappedAreNotLeft) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 46;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit limited{.rlim_cur = kLimit, .rlim_max = before.rlim_max};
  if (setrlimit(RLIMIT_AS, &limited) != 0) GTEST_SKIP() << "no such limit can be set";
  rlimit present{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &present), 0);
  if (present.rlim_cur != kLimit) GTEST_SKIP() << "the limit was taken and not set, as by an emulator";
  const std::uint64_t room = room_of_addresses();
  setrlimit(RLIMIT_AS, &before);
  const OwnPages own = own_pages();
  EXPECT_GT(own.resident, 0u);
  EXPECT_GE(own.mapped, own.resident);
  EXPECT_LT(room, kLimit);
  EXPECT_GT(room, kLimit - 2 * own.mapped);
}

}  // namespace
}  // namespace memo::runtime
