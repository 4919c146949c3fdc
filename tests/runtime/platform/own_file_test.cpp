// A file in a process whose descriptors are somebody else's: whatever happens to its number, an OwnFile never writes to, reads
// from or closes another file under it, and opens the very same file again or none.
#include "runtime/platform/own_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/children.h"

namespace memo::runtime {
namespace {

namespace fs = std::filesystem;

class OwnFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    for (const int number : opened_) close(number);
    fs::remove_all(folder_);
  }

  [[nodiscard]] std::string path(const char* name) const { return folder_ / name; }
  [[nodiscard]] std::string text_of(const char* name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The program's own, closed at the end.
  int open_other(const char* name) {
    opened_.push_back(::open(path(name).c_str(), O_RDWR | O_CREAT, 0600));
    return opened_.back();
  }

  static constexpr Open kToWrite = Open::kReadAndWrite | Open::kAppend;
  OwnFile open_new(const char* name) {
    OwnFile file;
    EXPECT_TRUE(file.open(path(name).c_str(), kToWrite | Open::kMakeNew, 0600));
    return file;
  }

  // A file's birth is told in ticks of the kernel's clock, some milliseconds.
  void wait_for_another_birth(int number) const {
    FileIdentity first;
    FileIdentity next;
    ASSERT_TRUE(identify_descriptor(number, &first));
    do {
      const int later = ::open(path("later").c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
      ASSERT_TRUE(identify_descriptor(later, &next));
      close(later);
      fs::remove(path("later"));
    } while (next.born == first.born && first.born != 0);
  }

  // Lays a file of the program's over the number of another.
  int overlay(const OwnFile& file, const char* name = "other") {
    EXPECT_EQ(dup2(open_other(name), file.number()), file.number());
    opened_.push_back(file.number());
    return file.number();
  }

 private:
  const fs::path folder_ = fs::temp_directory_path() / ("memomalloc-own-file-" + std::to_string(getpid()));
  std::vector<int> opened_;
};

bool is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

int lowest_free() {
  const int number = dup(STDERR_FILENO);
  close(number);
  return number;
}

TEST_F(OwnFiles, AreWrittenReadAndClosed) {
  OwnFile file = open_new("own");
  EXPECT_TRUE(file.is_own());
  EXPECT_EQ(file.write("hello", 5), 5);
  EXPECT_EQ(file.write_at({", ", 2}, {"you", 3}, OwnFile::kAtEnd), 5);
  EXPECT_EQ(text_of("own"), "hello, you");
  FileFacts about{};
  EXPECT_TRUE(file.describe(&about));
  EXPECT_EQ(about.bytes, 10);
  EXPECT_EQ(about.kind, FileKind::kPlain);
  char place[PATH_MAX];
  EXPECT_TRUE(file.find_path(place, sizeof place));
  EXPECT_EQ(place, fs::canonical(path("own")).string());
  const int number = file.number();
  EXPECT_EQ(file.close(), 0);
  EXPECT_FALSE(is_open(number));
  EXPECT_EQ(file.close(), 0);
  char text[32];
  EXPECT_EQ(read_beginning(path("own").c_str(), text, 5), 5);
  EXPECT_EQ(std::string(text, 5), "hello");
  EXPECT_EQ(read_beginning(path("absent").c_str(), text, 5), -1);
  EXPECT_EQ(errno, ENOENT);
}

// Whoever has laid a link, or has the old file open, is not written to.
TEST_F(OwnFiles, TakeThePlaceOfFilesAndLinks) {
  for (const bool link : {false, true}) {
    fs::remove(path("own"));
    std::ofstream(path("other")) << "precious";
    link ? fs::create_symlink(path("other"), path("own")) : fs::create_hard_link(path("other"), path("own"));
    OwnFile file;
    EXPECT_TRUE(file.open_in_place_of(path("own").c_str(), Open::kWrite, 0600));
    EXPECT_EQ(file.write("new", 3), 3);
    EXPECT_EQ(file.close(), 0);
    EXPECT_EQ(text_of("own"), "new");
    EXPECT_EQ(text_of("other"), "precious");
  }
}

TEST_F(OwnFiles, LeaveTheLowNumbersToTheProgram) {
  const int before = lowest_free();
  OwnFile file = open_new("own");
  EXPECT_EQ(lowest_free(), before);
  EXPECT_GT(file.number(), 100);
  EXPECT_NE(fcntl(file.number(), F_GETFD) & FD_CLOEXEC, 0);
  file.close();
}

// Nothing of the fixture is called under the limit: the undefined behaviour sanitizer opens a pipe for that.
TEST_F(OwnFiles, KeepTheirNumberWhereNoOtherIsFree) {
  const std::string place = path("own");
  OwnFile file;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit tight{static_cast<rlim_t>(lowest_free()) + 1, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  EXPECT_TRUE(file.open(place.c_str(), kToWrite | Open::kMakeNew, 0600));
  EXPECT_EQ(file.write("x", 1), 1);
  EXPECT_EQ(file.close(), 0);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(OwnFiles, TouchNoFileThatHasTheirNumber) {
  OwnFile file = open_new("own");
  const int number = overlay(file);
  ASSERT_EQ(write(number, "precious", 8), 8);
  ASSERT_EQ(lseek(number, 0, SEEK_SET), 0);
  char text[8];
  FileFacts about{};
  char place[PATH_MAX];
  EXPECT_FALSE(file.is_own());
  EXPECT_EQ(file.write("x", 1), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(file.write_at({"x", 1}, {}, 0), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(file.punch_hole(0, 4096), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(file.read(text, sizeof text), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_FALSE(file.describe(&about));
  EXPECT_EQ(errno, EBADF);
  EXPECT_FALSE(file.find_path(place, sizeof place));
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(file.map_shared(4096), nullptr);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(file.close(), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_TRUE(is_open(number));
  EXPECT_EQ(lseek(number, 0, SEEK_CUR), 0);
  EXPECT_EQ(text_of("other"), "precious");
  EXPECT_EQ(text_of("own"), "");
}

TEST_F(OwnFiles, AreNotTakenForAFileThatGotTheirInode) {
  OwnFile file = open_new("own");
  const int number = file.number();
  wait_for_another_birth(number);
  fs::remove(path("own"));
  close(number);
  overlay(file, "own");
  EXPECT_FALSE(file.is_own());
  EXPECT_EQ(file.write("x", 1), -1);
  EXPECT_EQ(file.close(), -1);
  EXPECT_EQ(text_of("own"), "");
}

TEST_F(OwnFiles, AreOpenedAgain) {
  OwnFile file = open_new("own");
  EXPECT_EQ(file.write("one ", 4), 4);
  close(file.number());
  EXPECT_EQ(file.write("lost", 4), -1);
  EXPECT_TRUE(file.open_again(path("own").c_str(), kToWrite));
  EXPECT_EQ(file.write("two ", 4), 4);
  overlay(file);
  EXPECT_TRUE(file.open_again(path("own").c_str(), kToWrite));
  EXPECT_EQ(file.write("three", 5), 5);
  EXPECT_EQ(file.close(), 0);
  EXPECT_EQ(text_of("own"), "one two three");
  EXPECT_EQ(text_of("other"), "");
}

TEST_F(OwnFiles, AreNotOpenedAgainAsAnother) {
  OwnFile file = open_new("own");
  fs::rename(path("own"), path("elsewhere"));
  close(file.number());
  EXPECT_FALSE(file.open_again(path("own").c_str(), kToWrite));
  EXPECT_EQ(errno, ESTALE);
  open_other("own");
  const int before = lowest_free();
  EXPECT_FALSE(file.open_again(path("own").c_str(), kToWrite));
  EXPECT_EQ(errno, ESTALE);
  EXPECT_EQ(lowest_free(), before);
  EXPECT_EQ(file.write("x", 1), -1);
  EXPECT_EQ(text_of("own"), "");
}

TEST_F(OwnFiles, AreOpenedAgainByManyThreadsAtOnce) {
  OwnFile file = open_new("own");
  const std::string where = path("own");
  constexpr int kThreads = 4;
  constexpr int kWrites = 50;
  const int before = lowest_free();
  for (int round = 0; round < 20; ++round) {
    close(file.number());
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int done = 0; done < kWrites;) {
          if (file.write("x", 1) == 1) {
            ++done;
          } else {
            EXPECT_TRUE(file.open_again(where.c_str(), kToWrite));
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(text_of("own").size(), 20u * kThreads * kWrites);
  EXPECT_EQ(file.close(), 0);
  EXPECT_EQ(lowest_free(), before);
}

// The lock is this process's: a child does not have it, cannot get it meanwhile, and does not end it by closing its copy of
// the descriptor.
TEST_F(OwnFiles, AreLockedForOneProcessAtATime) {
  const std::string where = path("own");
  const auto can_lock = [&] {
    OwnFile other;
    const bool locked = other.open(where.c_str(), Open::kReadAndWrite) && other.lock() == 0;
    other.close();
    return locked;
  };
  OwnFile file;
  ASSERT_TRUE(file.open(where.c_str(), Open::kReadAndWrite | Open::kMake, 0600));
  EXPECT_EQ(file.lock(), 0);
  EXPECT_FALSE(testing::holds_in_copy(can_lock));
  EXPECT_TRUE(testing::holds_in_copy([&] { return file.close() == 0; }));
  EXPECT_FALSE(testing::holds_in_copy(can_lock));
  EXPECT_EQ(file.close(), 0);
  EXPECT_TRUE(testing::holds_in_copy(can_lock));
  EXPECT_EQ(file.lock(), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST_F(OwnFiles, KnowADescriptorThatChanged) {
  FileIdentity before;
  FileIdentity after;
  const int number = open_other("other");
  ASSERT_TRUE(identify_descriptor(number, &before));
  ASSERT_TRUE(identify_descriptor(number, &after));
  EXPECT_TRUE(after.is_same_as(before));
  ASSERT_EQ(dup2(open_other("another"), number), number);
  ASSERT_TRUE(identify_descriptor(number, &after));
  EXPECT_FALSE(after.is_same_as(before));
  EXPECT_FALSE(FileIdentity{}.is_same_as(FileIdentity{}));
  EXPECT_FALSE(identify_descriptor(1000000, &after));
}

}  // namespace
}  // namespace memo::runtime
