// The files that a command names: what a child must execute to be the program that was started, and what a line calls it.
#include "runtime/formats/named_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "planner/tool/learn/command_name.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

// A folder with a script in it, as the working folder.
class NamedFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/memomalloc-named.XXXXXX";
    folder_ = fs::canonical(mkdtemp(name));
    before_ = fs::current_path();
    fs::current_path(folder_);
    std::ofstream("app.py") << "print(1)\n";
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static bool names(const std::vector<std::string>& command, const fs::path& file) {
    const std::string text = named_files(command);
    return NamedFiles(text.c_str()).has(fs::canonical(file).c_str());
  }

  fs::path folder_, before_;
};

TEST_F(NamedFilesTest, SaysWhoStartsTheCommand) {
  EXPECT_EQ(NamedFiles(named_files({"sh"}).c_str()).starter(), static_cast<unsigned long>(getpid()));
}

TEST_F(NamedFilesTest, TheProgramAndItsScriptAreNamed) {
  const std::vector<std::string> command = {"env", "sh", "app.py", "--port=80"};
  EXPECT_TRUE(names(command, "/bin/sh"));
  EXPECT_TRUE(names(command, "app.py"));
  EXPECT_TRUE(names(command, "/usr/bin/env"));
  EXPECT_FALSE(names(command, "/bin/cat"));
  EXPECT_FALSE(names(command, "/etc/passwd"));
}

TEST_F(NamedFilesTest, TheInterpreterOfAScriptIsNamed) {
  std::ofstream("tool") << "#!/bin/sh\n";
  fs::permissions("tool", fs::perms::owner_all);
  EXPECT_TRUE(names({"./tool"}, "/bin/sh"));
  EXPECT_TRUE(names({"./tool"}, "tool"));
}

TEST_F(NamedFilesTest, ACommandInAWordNamesItsFiles) {
  const std::vector<std::string> command = {
      "sh", "-c", "cd /; exec cat \"" + (folder_ / "app.py").string() + "\"; exit 1"};
  EXPECT_TRUE(names(command, "/bin/cat"));
  EXPECT_TRUE(names(command, "app.py"));
  EXPECT_FALSE(names(command, "/bin/ls"));
}

TEST_F(NamedFilesTest, NoTextNamesNothing) {
  EXPECT_FALSE(NamedFiles("").has("/bin/sh"));
  EXPECT_FALSE(NamedFiles("17").has("/bin/sh"));
  EXPECT_FALSE(NamedFiles("17:").has("/bin/sh"));
}

TEST_F(NamedFilesTest, ALineCallsACommandByWhatItRuns) {
  EXPECT_EQ(short_form({"python3", "-u", "app.py", "--port", "80"}), "python3 -u app.py");
  EXPECT_EQ(short_form({"./server", "--port", "80"}), "./server");
}

}  // namespace
}  // namespace memo::learn
