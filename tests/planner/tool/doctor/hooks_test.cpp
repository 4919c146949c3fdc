// The functions that are hooked, held against files: an engine that has them, one that has lost them, and the PyTorch that
// scripts/setup-engines installs. A failure means that a new version of an engine is served nothing, and nobody is told.
#include "planner/tool/doctor/hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

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

// Returns the path of PyTorch's library in the virtual environment of scripts/setup-engines, or "".
std::string installed_torch() {
  const char* folder = std::getenv("MEMOMALLOC_ENGINES");
  const fs::path packages = fs::path(folder != nullptr ? folder : MEMO_ENGINES) / "lib";
  std::error_code error;
  for (const fs::directory_entry& python : fs::directory_iterator(packages, error)) {
    const fs::path library = python.path() / "site-packages" / "torch" / "lib" / "libtorch_cpu.so";
    if (fs::exists(library)) return library.string();
  }
  return "";
}

TEST(Hooks, EveryGlobForPyTorchMatchesWhatIsInstalled) {
  const std::string torch = installed_torch();
  if (torch.empty()) GTEST_SKIP() << "there is no PyTorch: scripts/setup-engines installs one";
  for (const HookMatch& match : hook_matches(torch)) {
    std::cout << match.row->engine << ": " << match.row->glob << ": " << match.functions << "\n";
    EXPECT_GT(match.functions, 0U) << match.row->engine << ": " << match.row->glob;
  }
}

}  // namespace
}  // namespace memo::doctor
