// Tests what the contracts with the kernel promise about files, paths, pages and clocks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/platform/clock.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/user.h"

namespace memo::runtime {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::string make(const char* name, const char* text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

 private:
  const fs::path folder_ = fs::temp_directory_path() / ("memomalloc-files-" + std::to_string(getpid()));
};

TEST_F(Files, AreDescribedWithTheirLinksFollowedOrNot) {
  const std::string plain = make("plain", "seven b");
  ASSERT_EQ(chmod(plain.c_str(), 0640), 0);
  fs::create_symlink(plain, path("link"));
  FileFacts about{};
  ASSERT_TRUE(look_at(path("link").c_str(), &about));
  EXPECT_EQ(about.kind, FileKind::kPlain);
  EXPECT_EQ(about.bytes, 7);
  EXPECT_EQ(about.rights, 0640);
  EXPECT_EQ(about.owner, effective_user());
  EXPECT_EQ(about.names, 1);
  EXPECT_FALSE(about.is_writable_for_others());
  ASSERT_TRUE(look_at_unfollowed(path("link").c_str(), &about));
  EXPECT_EQ(about.kind, FileKind::kLink);
  ASSERT_TRUE(look_at(fs::path(plain).parent_path().c_str(), &about));
  EXPECT_EQ(about.kind, FileKind::kFolder);
  EXPECT_FALSE(look_at(path("absent").c_str(), &about));
  EXPECT_EQ(errno, ENOENT);
}

// A plan that was replaced within one second is another version.
TEST_F(Files, AreDatedToTheNanosecond) {
  const std::string plain = make("plain", "");
  const timespec times[] = {{0, UTIME_OMIT}, {1'700'000'000, 123'456'789}};
  ASSERT_EQ(utimensat(AT_FDCWD, plain.c_str(), times, 0), 0);
  FileFacts about{};
  ASSERT_TRUE(look_at(plain.c_str(), &about));
  EXPECT_EQ(about.changed, 1'700'000'000'123'456'789);
}

TEST_F(Files, ThatOthersMayWriteToAreKnown) {
  const std::string plain = make("plain", "");
  for (const mode_t rights : {0620U, 0602U}) {
    ASSERT_EQ(chmod(plain.c_str(), rights), 0);
    FileFacts about{};
    ASSERT_TRUE(look_at(plain.c_str(), &about));
    EXPECT_TRUE(about.is_writable_for_others());
  }
}

TEST_F(Files, AreRenamedOverOthersAndRemoved) {
  const std::string old = make("old", "old");
  const std::string fresh = make("fresh", "fresh");
  EXPECT_TRUE(rename_file(fresh.c_str(), old.c_str()));
  EXPECT_FALSE(may_use(fresh.c_str(), Use::kFind));
  EXPECT_TRUE(may_use(old.c_str(), Use::kFind));
  EXPECT_EQ(fs::file_size(old), 5);
  EXPECT_TRUE(remove_file(old.c_str()));
  EXPECT_FALSE(remove_file(old.c_str()));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(Files, LieInFoldersThatAreMadeAndRemoved) {
  const std::string folder = path("folder");
  EXPECT_TRUE(make_folder(folder.c_str(), 0700));
  EXPECT_TRUE(may_use(folder.c_str(), Use::kWriteInside));
  EXPECT_FALSE(make_folder(folder.c_str(), 0700));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_TRUE(remove_folder(folder.c_str()));
  EXPECT_FALSE(may_use(folder.c_str(), Use::kFind));
}

TEST_F(Files, OfLinksAreReadWholeOrNotAtAll) {
  fs::create_symlink("target", path("link"));
  char text[16];
  EXPECT_TRUE(read_link(path("link").c_str(), text, sizeof text));
  EXPECT_STREQ(text, "target");
  EXPECT_TRUE(read_link(path("link").c_str(), text, 7));
  EXPECT_FALSE(read_link(path("link").c_str(), text, 6));
  EXPECT_EQ(errno, ENAMETOOLONG);
}

TEST(Paths, EndInABaseName) {
  EXPECT_STREQ(base_name("/usr/lib/libc.so.6"), "libc.so.6");
  EXPECT_STREQ(base_name("server"), "server");
  EXPECT_STREQ(base_name("folder/"), "");
}

TEST(Pages, ReadAsZeroesWhenMappedAndWhenEmptied) {
  const std::size_t bytes = 4 * page_bytes();
  auto* memory = static_cast<unsigned char*>(map_pages(bytes));
  ASSERT_NE(memory, nullptr);
  EXPECT_TRUE(populate_pages(memory, bytes));
  EXPECT_EQ(memory[bytes - 1], 0);
  std::memset(memory, 7, bytes);
  empty_pages(memory + page_bytes(), page_bytes());
  EXPECT_EQ(memory[page_bytes() - 1], 7);
  EXPECT_EQ(memory[page_bytes()], 0);
  EXPECT_EQ(memory[2 * page_bytes()], 7);
  unmap_pages(memory, bytes);
}

TEST(PagesDeathTest, FaultWhereTheyAreNotOpen) {
  auto* memory = static_cast<volatile char*>(reserve_addresses(2 * page_bytes()));
  ASSERT_NE(memory, nullptr);
  auto* const whole = const_cast<char*>(memory);
  EXPECT_DEATH(memory[0] = 1, "");
  EXPECT_TRUE(open_pages(whole, page_bytes()));
  memory[0] = 1;
  EXPECT_EQ(memory[0], 1);
  EXPECT_DEATH(memory[page_bytes()] = 1, "");
  close_pages(whole, page_bytes());
  EXPECT_DEATH(memory[0] = 1, "");
  unmap_pages(whole, 2 * page_bytes());
}

TEST(Clock, OfTheTicksFollowsTheExactOne) {
  const std::int64_t coarse = coarse_nanoseconds_now();
  const std::int64_t exact = nanoseconds_now();
  EXPECT_LE(coarse, exact);
  EXPECT_LT(exact - coarse_nanoseconds_now(), kSecond);
  EXPECT_GT(nanoseconds_since_1970(), 1'700'000'000 * kSecond);
}

}  // namespace
}  // namespace memo::runtime
