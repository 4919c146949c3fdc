// The file of a trace: its name, its limits, and that blocks of many threads stay whole in it.
#include "preload/modes/profile/trace_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "planner/trace/blocks.h"
#include "tests/preload/temporary_folder.h"

namespace memo::guest {
namespace {

using memo::testing::TemporaryFolder;
using planner::BlockList;
using planner::find_blocks;
using trace::BlockKind;

constexpr std::uint64_t kMebibyte = 1U << 20;

std::string contents(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

bool append_events(TraceFile& file, std::uint32_t thread, std::uint64_t sequence, std::size_t bytes) {
  const std::vector<std::uint64_t> payload(bytes / 8, sequence);
  return file.append(BlockKind::kEvents, thread, sequence, 0, payload.data(), payload.size() * 8);
}

// %p is the process, %c the program; a name that is taken gets a number, and what is there stays.
TEST(TraceFile, NeverWritesOverAFile) {
  const TemporaryFolder folder;
  const std::string pattern = folder.file("%p.trace");
  const std::string expected = folder.file(std::to_string(getpid()) + ".trace");
  for (int i = 0; i < 3; ++i) {
    TraceFile file;
    file.configure(pattern.c_str(), kMebibyte, TraceFile::Keep::kFirst);
    ASSERT_TRUE(file.ensure_open());
    EXPECT_TRUE(append_events(file, 1, static_cast<std::uint64_t>(i), 80));
    file.forget();
  }
  for (const char* number : {"", ".2", ".3"}) {
    const std::string bytes = contents(expected + number);
    EXPECT_EQ(find_blocks(bytes, "x").blocks.size(), 1U) << expected << number;
  }
}

// A full file takes no more blocks and says why; the block that says how it ended has room.
TEST(TraceFile, SaysThatItIsFull) {
  const TemporaryFolder folder;
  const std::string path = folder.file("full.trace");
  TraceFile file;
  file.configure(path.c_str(), 1000, TraceFile::Keep::kFirst);
  ASSERT_TRUE(file.ensure_open());
  EXPECT_TRUE(append_events(file, 1, 0, 800));
  EXPECT_FALSE(append_events(file, 1, 1, 800));
  EXPECT_NE(std::string(file.failure()).find("MEMOMALLOC_TRACE_LIMIT"), std::string::npos);
  EXPECT_FALSE(append_events(file, 1, 2, 8)) << "behind a block that is missing";
  EXPECT_TRUE(file.append(BlockKind::kEnd, 0, 0, 0, nullptr, 0));
  file.forget();
  const std::string bytes = contents(path);
  EXPECT_EQ(find_blocks(bytes, path).blocks.size(), 2U);
}

void append_from_threads(TraceFile& file, std::uint32_t threads, std::uint64_t blocks) {
  std::vector<std::thread> all;
  for (std::uint32_t thread = 1; thread <= threads; ++thread) {
    all.emplace_back([&file, thread, blocks] {
      for (std::uint64_t i = 0; i < blocks; ++i)
        EXPECT_TRUE(append_events(file, thread, i, 8 * (1000 + i % 3000)));
    });
  }
  for (std::thread& one : all) one.join();
}

// Threads write without a lock; every block arrives whole.
TEST(TraceFile, KeepsTheBlocksOfThreadsApart) {
  const TemporaryFolder folder;
  const std::string path = folder.file("threads.trace");
  TraceFile file;
  file.configure(path.c_str(), 1024 * kMebibyte, TraceFile::Keep::kFirst);
  ASSERT_TRUE(file.ensure_open());
  append_from_threads(file, 4, 300);
  file.forget();
  const std::string bytes = contents(path);
  const BlockList list = find_blocks(bytes, path);
  EXPECT_EQ(list.blocks.size(), 4U * 300);
  EXPECT_TRUE(list.damage.empty() && list.unwritten.empty());
}

// A program that closes every descriptor, and lays a file of its own over the number, takes no block away.
TEST(TraceFile, GoesOnWhereTheProgramClosedIt) {
  for (const TraceFile::Keep keep : {TraceFile::Keep::kFirst, TraceFile::Keep::kNewest}) {
    const TemporaryFolder folder;
    const std::string path = folder.file("closed.trace");
    const std::string own = folder.file("own");
    const int program = open(own.c_str(), O_RDWR | O_CREAT, 0600);
    TraceFile file;
    file.configure(path.c_str(), 64 * kMebibyte, keep);
    ASSERT_TRUE(file.ensure_open());
    constexpr int kRounds = 5;
    constexpr int kLeast = 100;  // the trace's number is above
    constexpr int kHighest = 1100;
    for (int round = 0; round < kRounds; ++round) {
      append_from_threads(file, 4, 50);
      ASSERT_EQ(close_range(kLeast, ~0U, 0), 0);
      for (int number = kLeast; round % 2 == 0 && number < kHighest; ++number) dup2(program, number);
    }
    ASSERT_TRUE(append_events(file, 1, 0, 80));
    file.forget();
    close_range(kLeast, ~0U, 0);
    close(program);
    const std::string bytes = contents(path);
    const BlockList list = find_blocks(bytes, path);
    EXPECT_EQ(list.blocks.size(), 4U * 50 * kRounds + 1);
    EXPECT_TRUE(list.damage.empty());
    EXPECT_EQ(contents(own), "");
  }
}

// One whose path leads to it no more ends, and says why.
TEST(TraceFile, EndsWhereItCannotBeOpenedAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.file("moved.trace");
  TraceFile file;
  file.configure(path.c_str(), kMebibyte, TraceFile::Keep::kFirst);
  ASSERT_TRUE(file.ensure_open());
  ASSERT_TRUE(append_events(file, 1, 0, 80));
  std::filesystem::rename(path, folder.file("elsewhere"));
  std::ofstream(path) << "another";
  ASSERT_EQ(close_range(100, ~0U, 0), 0);
  EXPECT_FALSE(append_events(file, 1, 1, 80));
  EXPECT_NE(std::string(file.failure()).find("cannot be opened again"), std::string::npos);
  file.forget();
  EXPECT_EQ(contents(path), "another");
}

// In a file that is a ring, too: what lasts is all there, of the events the newest, none of them torn.
TEST(TraceFile, KeepsTheNewestBlocks) {
  const TemporaryFolder folder;
  const std::string path = folder.file("newest.trace");
  TraceFile file;
  file.configure(path.c_str(), 8 * kMebibyte, TraceFile::Keep::kNewest);
  ASSERT_TRUE(file.ensure_open());
  const std::uint64_t name[2] = {1, 0};
  ASSERT_TRUE(file.append(BlockKind::kNames, 0, 0, 0, name, sizeof name));
  constexpr std::uint64_t kBlocks = 2000;
  for (std::uint64_t i = 0; i < kBlocks; ++i) ASSERT_TRUE(append_events(file, 1, i, 20'000));
  file.forget();
  const std::string bytes = contents(path);
  EXPECT_LE(bytes.size(), 8 * kMebibyte);
  const BlockList list = find_blocks(bytes, path);
  EXPECT_TRUE(list.damage.empty());
  ASSERT_GE(list.blocks.size(), 300U);
  EXPECT_EQ(list.blocks.front().header.kind, BlockKind::kNames);
  for (std::size_t i = 1; i < list.blocks.size(); ++i) {
    EXPECT_GE(list.blocks[i].header.sequence, kBlocks - list.blocks.size() + 1);
  }
}

// The same with threads. (Which of their blocks are the newest depends on who runs when.)
TEST(TraceFile, KeepsTheNewestBlocksOfThreads) {
  const TemporaryFolder folder;
  const std::string path = folder.file("newest.trace");
  TraceFile file;
  file.configure(path.c_str(), 16 * kMebibyte, TraceFile::Keep::kNewest);
  ASSERT_TRUE(file.ensure_open());
  append_from_threads(file, 4, 1000);
  file.forget();
  const std::string bytes = contents(path);
  EXPECT_LE(bytes.size(), 16 * kMebibyte);
  EXPECT_GE(find_blocks(bytes, path).blocks.size(), 400U);
}

}  // namespace
}  // namespace memo::guest
