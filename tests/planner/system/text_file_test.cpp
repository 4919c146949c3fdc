// Tests what the planner asks of the system in a few words: lines and fields of short files, the size of the machine, a file
// mapped to be read, and a child with an input of its own that is killed with all that it has started.
#include "planner/system/text_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "planner/system/child.h"
#include "planner/system/machine_facts.h"
#include "planner/system/mapped_file.h"
#include "planner/system/regular_file.h"
#include "planner/system/temporary_folder.h"

namespace memo::process {
namespace {

class Files : public ::testing::Test {
 protected:
  std::string make(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }

  TemporaryFolder folder_{"test"};
};

TEST_F(Files, HaveAFirstLine) {
  EXPECT_EQ(first_line_of(make("two", "first\nsecond\n")), "first");
  EXPECT_EQ(first_line_of(make("no-end", "only")), "only");
  EXPECT_EQ(first_line_of(make("empty", "")), "");
  EXPECT_EQ(first_line_of("/no/such/file"), "");
}

TEST_F(Files, HaveFieldsWhoseNamesAreWhole) {
  const std::string path =
      make("fields", "model\t\t: 7\nmodel name\t: Some CPU: fast\nempty:\nMemTotal:    12 kB\n");
  EXPECT_EQ(field_of(path, "model name"), "Some CPU: fast");
  EXPECT_EQ(field_of(path, "model"), "7");
  EXPECT_EQ(field_of(path, "MemTotal"), "12 kB");
  EXPECT_EQ(field_of(path, "empty"), "");
  EXPECT_EQ(field_of(path, "Mem"), "");
  EXPECT_EQ(field_of("/no/such/file", "MemTotal"), "");
}

TEST_F(Files, AreMappedWhole) {
  EXPECT_EQ(MappedFile(make("some", "bytes")).bytes(), "bytes");
  EXPECT_EQ(MappedFile(make("none", "")).bytes(), "");
  EXPECT_THROW(MappedFile("/no/such/file"), Unreadable);
  EXPECT_THROW(MappedFile("/dev/null"), Unreadable);
}

// What lies in no page of the disk reads as zeros, however the bytes come.
TEST_F(Files, AreReadWithTheirHoles) {
  constexpr off_t kHole = 3 << 20;
  const std::string path = make("holes", "begin");
  ASSERT_EQ(truncate(path.c_str(), kHole), 0);
  std::ofstream(path, std::ios::app) << "end";
  for (const Writer writer : {Writer::kNone, Writer::kSome}) {
    const MappedFile file(path, writer);
    ASSERT_EQ(file.bytes().size(), static_cast<std::size_t>(kHole) + 3);
    EXPECT_EQ(file.bytes().substr(0, 6), std::string_view("begin\0", 6));
    EXPECT_EQ(file.bytes().substr(kHole), "end");
  }
}

// A mapping would end the process here.
TEST_F(Files, AreReadAlthoughTheirWriterCutsThemOff) {
  const std::string path = make("cut", std::string(1 << 20, 'x'));
  const MappedFile file(path, Writer::kSome);
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  EXPECT_EQ(file.bytes().find_first_not_of('x'), std::string_view::npos);
}

TEST(Machine, HasTheMemoryThatTheKernelSays) {
  EXPECT_EQ(physical_memory(), std::stoull(field_of("/proc/meminfo", "MemTotal")) * 1024);
}

TEST_F(Files, AreTheInputOfAChild) {
  const std::string input = make("input", "what it reads\n");
  const std::string output = (folder_.path() / "output").string();
  EXPECT_EQ(wait_for(start({.words = {"cat"}, .output = output, .input = input})), 0);
  EXPECT_EQ(read_regular_file(output), "what it reads\n");
}

TEST_F(Files, ANamedInputThatIsMissingStartsNoChild) {
  const Child child = start({.words = {"true"}, .input = "/no/such/file"});
  EXPECT_EQ(child.exec_error, ENOENT);
  EXPECT_EQ(wait_for(child), kNotFound);
}

// Both the shell and the sleep that it has started hold the pipe open: it ends when neither of them lives.
TEST_F(Files, AChildThatStandsApartIsKilledWithWhatItHasStarted) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(wait_for(start({.words = {"mkfifo", pipe}})), 0);
  const Child child =
      start({.words = {"sh", "-c", "exec 3>\"$0\"; sleep 60 & echo started >&3; wait", pipe}, .apart = true});
  std::ifstream held(pipe);
  std::string line;
  ASSERT_TRUE(std::getline(held, line));
  kill_with_group(child);
  EXPECT_FALSE(std::getline(held, line));
  EXPECT_EQ(wait_for(child), 128 + SIGKILL);
}

}  // namespace
}  // namespace memo::process
