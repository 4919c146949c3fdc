// The names of plans in the cache: which command lines share a plan and which do not, and that the library and the command
// give the same name to each. Failure: two programs with one name, one program with two, or two names for one process.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "planner/system/child.h"
#include "planner/tool/learn/command_name.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Two folders with a program each, one for temporary files, and the first of them as the working folder. All of it lies
// beside the test, which is below no folder for temporary files.
class PlanName : public ::testing::Test {
 protected:
  void SetUp() override {
    former_ = fs::current_path();
    std::string pattern = (former_ / "plan-name.XXXXXX").string();
    root_ = fs::canonical(mkdtemp(pattern.data()));
    for (const char* folder : {"one", "two"}) {
      fs::create_directories(root_ / folder);
      write(root_ / folder / "app.py", folder);
      write(root_ / folder / "resnet50-0676ba61.pth", folder);
    }
    write(root_ / "tmp" / "a.json", "a");
    write(root_ / "tmp" / "b.json", "b");
    fs::create_symlink(root_ / "one" / "app.py", root_ / "link.py");
    setenv("TMPDIR", (root_ / "tmp").c_str(), 1);
    fs::current_path(root_ / "one");
  }
  void TearDown() override {
    fs::current_path(former_);
    fs::remove_all(root_);
    unsetenv("TMPDIR");
    unsetenv("MEMOMALLOC_ORT_ARENA");
  }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  // Returns the name of `true` with these arguments. "%" stands for the folder around all.
  std::string name_of(const Words& arguments) const {
    Words command = {"true"};
    for (std::string word : arguments) {
      for (std::size_t at = word.find('%'); at != std::string::npos; at = word.find('%', at))
        word.replace(at, 1, root_.string());
      command.push_back(word);
    }
    return plan_name(command);
  }
  std::string name_in(const char* folder, const Words& arguments) const {
    const fs::path here = fs::current_path();
    fs::current_path(root_ / folder);
    const std::string name = name_of(arguments);
    fs::current_path(here);
    return name;
  }

  fs::path former_;
  fs::path root_;
};

struct Pair {
  Words one;
  Words other;
};

TEST_F(PlanName, IsTheSameWhateverChangesFromOneStartToTheNext) {
  const Pair kSame[] = {
      {{"app.py", "--port", "8080"}, {"app.py", "--port", "9090"}},
      {{"app.py", "--port=8080"}, {"app.py", "--port=9090"}},
      {{"app.py", "-p8080"}, {"app.py", "-p9090"}},
      {{"app.py", "port=8080"}, {"app.py", "port=9090"}},
      {{"app.py", "--lr", "1e-3", "-1", "0.5"}, {"app.py", "--lr", "0.02", "-7", ".25"}},
      {{"--bind", "0.0.0.0:8080"}, {"--bind", "localhost:80"}},
      {{"--bind", ":8080"}, {"--bind", "[::1]:8081"}},
      {{"--at", "http://10.0.0.1:80/ready"}, {"--at", "https://some-host.example:8443/"}},
      {{"--id", "550e8400-e29b-41d4-a716-446655440000"}, {"--id", "0a0a0a0a-1b1b-4c4c-8d8d-1e1e1e1e1e1e"}},
      {{"--id", "run-20261123-003854"}, {"--id", "run-20261124-113000"}},
      {{"--id", "a1b2c3d"}, {"--id", "d3adbeef"}},
      {{"--at", "2026-11-23T00:38:54Z"}, {"--at", "2027-01-01T10:00:00+01:00"}},
      {{"app.py", "--log", "%/tmp/a.json"}, {"app.py", "--log", "%/tmp/none"}},
      {{"app.py", "--log=/tmp/a"}, {"app.py", "--log=/var/tmp/b/c"}},
      {{"--socket", "unix:/run/a.sock"}, {"--socket", "unix:///run/b.sock"}},
      {{"app.py", "%/tmp/a.json"}, {"app.py", "%/tmp/b.json"}},
      {{"--config", "%/tmp/a.json"}, {"--config", "%/tmp/b.json"}},
      {{"app.py"}, {"./app.py"}},
      {{"app.py"}, {"%/one/app.py"}},
      {{"app.py"}, {"%/link.py"}},
      {{"--out", "made.json"}, {"--out", "./made.json"}},
  };
  for (const Pair& pair : kSame)
    EXPECT_EQ(name_of(pair.one), name_of(pair.other))
        << ::testing::PrintToString(pair.one) << " and " << ::testing::PrintToString(pair.other);
}

TEST_F(PlanName, IsAnotherForAnotherProgram) {
  const Pair kDifferent[] = {
      {{"app.py"}, {"../two/app.py"}},
      {{"app.py"}, {}},
      {{"app.py"}, {"-u", "app.py"}},
      {{"app.py", "--model", "resnet"}, {"app.py", "--model", "vgg"}},
      {{"app.py", "--model=resnet"}, {"app.py", "--model=vgg"}},
      {{"app.py", "model=resnet"}, {"app.py", "model=vgg"}},
      {{"app.py", "--model", "T5"}, {"app.py", "--model", "E5"}},
      {{"app.py", "--shape", "1x24"}, {"app.py", "--shape", "1x32"}},
      {{"app.py", "--fast"}, {"app.py"}},
      {{"app.py", "--device", "cuda:0"}, {"app.py", "--device", "cuda:1"}},
      {{"--weights", "resnet50-0676ba61.pth"}, {"--weights", "../two/resnet50-0676ba61.pth"}},
      {{"--weights", "resnet50-0676ba61"}, {"--weights", "resnet18-f37072fd"}},
      {{"-m", "uvicorn", "app:main"}, {"-m", "uvicorn", "other:main"}},
      {{"-m", "uvicorn"}, {"-m", "gunicorn"}},
      {{"ab", "c"}, {"a", "bc"}},
      // What may be a script counts wherever it lies.
      {{"%/tmp/a.json"}, {"%/tmp/b.json"}},
      {{"-u", "%/tmp/a.json"}, {"-u", "%/tmp/b.json"}},
  };
  for (const Pair& pair : kDifferent)
    EXPECT_NE(name_of(pair.one), name_of(pair.other))
        << ::testing::PrintToString(pair.one) << " and " << ::testing::PrintToString(pair.other);
}

// Without its arena ONNX Runtime asks for every tensor by itself: a plan that was learned with it fits nothing then.
TEST_F(PlanName, IsAnotherWithoutTheArenaOfOnnxRuntime) {
  EXPECT_EQ(plan_name({"true"}, "on"), plan_name({"true"}));
  EXPECT_NE(plan_name({"true"}, "off"), plan_name({"true"}));
}

TEST_F(PlanName, HoldsTheWorkingFolderWhereAWordMayDependOnIt) {
  for (const Words& words :
       {Words{}, Words{"app.py"}, Words{"-m", "uvicorn", "app:main"}, Words{"/bin/sh", "app:main"},
        Words{"--port", "80"}, Words{"--id", "run-20261123"}})
    EXPECT_NE(name_in("one", words), name_in("two", words)) << ::testing::PrintToString(words);
  EXPECT_EQ(name_in("one", {"%/one/app.py", "--port", "80"}),
            name_in("two", {"%/one/app.py", "--port", "80"}));
}

TEST_F(PlanName, IsTheSameOnceTheProgramHasWrittenAFileThatItsCommandNames) {
  const Words words = {"app.py", "--log", "server.log"};
  const std::string before = name_of(words);
  write(root_ / "one" / "server.log", "started");
  EXPECT_EQ(name_of(words), before);
}

TEST_F(PlanName, TellsAPersonWhoseItIs) {
  EXPECT_TRUE(name_of({"-u", "app.py", "--model", "resnet"}).starts_with("true-app.py."));
  EXPECT_TRUE(name_of({"-m", "uvicorn", "app:main"}).starts_with("true-uvicorn."));
  EXPECT_TRUE(name_of({"--port", "80"}).starts_with("true."));
  EXPECT_TRUE(name_of({"-c", "import a; b()"}).starts_with("true-import."));
  EXPECT_TRUE(name_of({"-c", "\"$@\"; exit", "app.py"}).starts_with("true-app.py."));
}

TEST_F(PlanName, HasRoomForAnyCommand) {
  for (const Words& words :
       {Words{std::string(70'000, '=')}, Words{std::string(5'000, 'x')}, Words(9'000, "some-word"),
        Words{"", "-", "--", "=", "--=", "/", "://", ":/", "."}})
    EXPECT_TRUE(name_of(words).ends_with(".plan"));
}

// ---- the library's name, told by a program that has the library's code in it

class BothSides : public PlanName {
 protected:
  std::string name_by_library(const Words& command) const {
    process::Command printing;
    printing.words = command;
    printing.output = (root_ / "printed").string();
    EXPECT_EQ(process::wait_for(process::start(printing)), 0) << ::testing::PrintToString(command);
    std::ifstream printed(root_ / "printed");
    std::string name;
    std::getline(printed, name);
    return name;
  }
  void expect_one_name(const Words& command) const {
    EXPECT_EQ(plan_name(command), name_by_library(command)) << ::testing::PrintToString(command);
  }
  std::string script(const std::string& first_line) const {
    const fs::path path = root_ / "one" / "script";
    write(path, first_line + "\n");
    chmod(path.c_str(), 0755);
    return path.string();
  }
};

TEST_F(BothSides, FindOneNameWithoutTheArenaOfOnnxRuntime) {
  setenv("MEMOMALLOC_ORT_ARENA", "off", 1);
  EXPECT_EQ(plan_name({MEMO_PLAN_NAME_PRINTER}, "off"), name_by_library({MEMO_PLAN_NAME_PRINTER}));
}

TEST_F(BothSides, GiveOneNameToAnyCommand) {
  const Words pieces = {"app.py",
                        "--port",
                        "8080",
                        "=",
                        "-p",
                        "-",
                        "/tmp/x",
                        "/",
                        ":",
                        "a1b2c3d4",
                        "run",
                        "one",
                        "..",
                        ".",
                        "localhost",
                        "link.py",
                        "T",
                        "\xff\x01",
                        " a ",
                        "/dev/null",
                        root_.string(),
                        (root_ / "tmp" / "a.json").string()};
  rc::check([&] {
    const auto word = rc::gen::map(rc::gen::resize(4, rc::gen::container<Words>(rc::gen::elementOf(pieces))),
                                   [](const Words& some) {
                                     std::string all;
                                     for (const std::string& piece : some) all += piece;
                                     return all;
                                   });
    Words command = *rc::gen::resize(6, rc::gen::container<Words>(word));
    command.insert(command.begin(), MEMO_PLAN_NAME_PRINTER);
    RC_ASSERT(plan_name(command) == name_by_library(command));
  });
}

TEST_F(BothSides, GiveOneNameToScripts) {
  expect_one_name({script("#!" MEMO_PLAN_NAME_PRINTER), "app:main"});
  expect_one_name({script("#! " MEMO_PLAN_NAME_PRINTER "  -u -v "), "app:main", "--port", "80"});
  setenv("PATH", (fs::path(MEMO_PLAN_NAME_PRINTER).parent_path().string() + ":" + getenv("PATH")).c_str(), 1);
  expect_one_name({script("#!/usr/bin/env plan_name_printer"), "app:main"});
  expect_one_name({"plan_name_printer", "app.py"});
}

TEST_F(BothSides, GiveOneNameToALongCommand) {
  Words command(9'000, "some-word");
  command.front() = MEMO_PLAN_NAME_PRINTER;
  expect_one_name(command);
}

}  // namespace
}  // namespace memo::learn
