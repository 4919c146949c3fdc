// The functions that are hooked, held against files: an engine that has them, one that has lost them, and the engines that
// scripts/setup-engines installs. A failure means that a new version of an engine is served nothing, and nobody is told.
#include "planner/tool/doctor/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "planner/system/temporary_folder.h"

namespace memo::doctor {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(Hooks, AnEngineHasItsFunctionsCounted) {
  const Findings found = examine_hooks({MEMO_MINI_NET}, false);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().level, Level::kFine);
  EXPECT_EQ(found.front().text, "libmini_net.so: functions of the example server that begin a pass: 1");
}

TEST(Hooks, FilesOfNoEngineHaveNothing) {
  EXPECT_TRUE(examine_hooks({"/proc/self/exe", "/nowhere/libm.so.6"}, false).empty());
}

// A library such as a new version of CTranslate2 would be that has renamed everything.
class RenamedEngine : public ::testing::Test {
 protected:
  RenamedEngine() { fs::copy_file(MEMO_MINI_NET, path_); }
  process::TemporaryFolder folder_{"hooks-test"};
  std::string path_ = folder_.path() / "libctranslate2-1f2e3d.so.5";
};

TEST_F(RenamedEngine, IsAdviceThatNamesWhatWasLookedForWhereNoPassWasSeen) {
  const Findings found = examine_hooks({path_}, false);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().level, Level::kAdvice);
  EXPECT_THAT(found.front().text,
              HasSubstr("libctranslate2-1f2e3d.so.5: no function of CTranslate2 matches"));
  EXPECT_THAT(found.front().text, HasSubstr("Replica9translateE* or "));
  EXPECT_THAT(found.front().cure, HasSubstr("--pass-symbol"));
}

TEST_F(RenamedEngine, IsNoneWherePassesAreSeenAllTheSame) {
  EXPECT_EQ(examine_hooks({path_}, true).front().level, Level::kFine);
}

bool is_an_engines(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return entry.is_regular_file() && !entry.is_symlink() && name.find(".so") != std::string::npos &&
         std::ranges::any_of(kHookedFunctions,
                             [&](const HookedFunctions& row) { return name.starts_with(row.library); });
}

// Returns the libraries of the table that the virtual environment of scripts/setup-engines has.
std::vector<std::string> installed_engines() {
  const char* folder = std::getenv("MEMOMALLOC_ENGINES");
  const fs::path packages = fs::path(folder != nullptr ? folder : MEMO_ENGINES) / "lib";
  std::vector<std::string> libraries;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(packages, error))
    if (is_an_engines(entry)) libraries.push_back(entry.path().string());
  return libraries;
}

TEST(Hooks, EveryGlobMatchesInTheEnginesThatAreInstalled) {
  const std::vector<std::string> libraries = installed_engines();
  if (libraries.empty()) GTEST_SKIP() << "there is no engine: scripts/setup-engines installs some";
  for (const std::string& library : libraries) {
    for (const HookMatch& match : hook_matches(library)) {
      std::cout << fs::path(library).filename().string() << ": " << match.row->glob << ": " << match.functions
                << "\n";
      EXPECT_GT(match.functions, 0U) << library << ": " << match.row->engine << ": " << match.row->glob;
    }
  }
}

}  // namespace
}  // namespace memo::doctor
