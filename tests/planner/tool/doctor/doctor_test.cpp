// The examination of a machine, shown as a folder that looks like the kernel's files: each limit that stands against
// serving is found, and one that does not is not. And the judgement on what a trial saw.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "planner/system/temporary_folder.h"
#include "planner/tool/doctor/machine.h"
#include "planner/tool/doctor/own_planners.h"
#include "planner/tool/doctor/plan_fit.h"
#include "planner/tool/doctor/trial_findings.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr Demand kFourLanesOfTen{10 * kMebibyte, 4};
constexpr Demand kOnDemandOfTen{10 * kMebibyte, 0};

const Finding& about(const Findings& findings, const std::string& what) {
  const auto found = std::ranges::find(findings, what, &Finding::about);
  EXPECT_NE(found, findings.end()) << what;
  return *found;
}

class MachineTest : public ::testing::Test {
 protected:
  MachineTest() : machine_{folder_.path(), kUnlimited, 1024 * kMebibyte, 4} {
    file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    file("/proc/sys/vm/overcommit_memory", "0\n");
    file("/proc/self/cgroup", "0::/pod\n");
  }

  void file(const std::string& path, const std::string& text) const {
    const fs::path whole = folder_.path().string() + path;
    fs::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  [[nodiscard]] Finding look(const std::string& what, std::optional<Demand> demand = kFourLanesOfTen) const {
    return about(examine(machine_, demand), what);
  }

  process::TemporaryFolder folder_{"doctor-test"};
  Machine machine_;
};

TEST_F(MachineTest, HasNothingToSayOfAGoodOne) {
  for (const Finding& finding : examine(machine_, kFourLanesOfTen)) {
    EXPECT_EQ(finding.level, Level::kFine) << finding.text;
    EXPECT_EQ(finding.cure, "");
  }
}

TEST_F(MachineTest, HugePagesSwitchedOff) {
  file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  EXPECT_EQ(look("huge pages").level, Level::kAdvice);
  EXPECT_EQ(look("huge pages").cure, "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
}

TEST_F(MachineTest, StrictOvercommitMattersWhereALaneDoesNotFit) {
  file("/proc/sys/vm/overcommit_memory", "2\n");
  file("/proc/meminfo", "MemTotal: 9 kB\nCommitLimit:    20480 kB\nCommitted_AS:   5120 kB\n");
  EXPECT_EQ(look("overcommit").level, Level::kAdvice);
  file("/proc/meminfo", "CommitLimit:    20480 kB\nCommitted_AS:   15360 kB\n");
  EXPECT_EQ(look("overcommit").level, Level::kFault);
  EXPECT_NE(look("overcommit").text.find("5.00 MiB"), std::string::npos);
  EXPECT_EQ(look("overcommit", std::nullopt).level, Level::kAdvice);
}

TEST_F(MachineTest, ContainerLimitAgainstLanes) {
  file("/sys/fs/cgroup/pod/memory.max", "31457280\n");
  file("/sys/fs/cgroup/pod/memory.stat", "anon 0\n");
  EXPECT_EQ(look("memory").level, Level::kFault) << "four lanes were asked for, and three fit";
  EXPECT_EQ(look("memory").cure, "export MEMOMALLOC_LANES=3");
  EXPECT_EQ(look("memory", kOnDemandOfTen).level, Level::kAdvice) << "a fourth pass runs on the heap";
  EXPECT_EQ(look("memory", Demand{10 * kMebibyte, 3}).level, Level::kFine);
  EXPECT_EQ(look("memory", Demand{31 * kMebibyte, 0}).level, Level::kFault) << "not even one fits";
}

TEST_F(MachineTest, WhatTheContainerHoldsAlreadyIsNotFree) {
  file("/sys/fs/cgroup/pod/memory.max", "41943040\n");
  file("/sys/fs/cgroup/pod/memory.stat", "anon 1048576\n");
  EXPECT_EQ(look("memory").level, Level::kFault);
}

TEST_F(MachineTest, MemoryOfTheMachine) {
  machine_.memory = 15 * kMebibyte;
  EXPECT_EQ(look("memory").cure, "export MEMOMALLOC_LANES=1");
}

TEST_F(MachineTest, LimitedAddresses) {
  machine_.address_space = 400 * kMebibyte;
  EXPECT_EQ(look("addresses").level, Level::kAdvice);
  machine_.address_space = 100 * kMebibyte;
  EXPECT_EQ(look("addresses").level, Level::kFault) << "a quarter is less than the lanes";
  EXPECT_EQ(look("addresses").cure, "ulimit -v unlimited");
}

TEST_F(MachineTest, MoreLanesThanCores) {
  EXPECT_EQ(look("cores", Demand{1, 5}).level, Level::kAdvice);
  EXPECT_EQ(look("cores", Demand{1, 5}).cure, "export MEMOMALLOC_LANES=4");
  file("/sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
  EXPECT_EQ(look("cores").cure, "export MEMOMALLOC_LANES=2");
  file("/sys/fs/cgroup/pod/cpu.max", "max 100000\n");
  EXPECT_EQ(look("cores").level, Level::kFine);
}

// A plan of two allocations in this program, one in another.
planner::PlanDescription plan_for(const std::string& own_id, const std::string& other_path,
                                  const std::string& other_id) {
  planner::PlanDescription plan;
  plan.modules = {{own_id, fs::read_symlink("/proc/self/exe").string()}, {other_id, other_path}};
  plan.variants.resize(1);
  plan.variants[0].slots.resize(3);
  plan.variants[0].slots[2].site.module = 1;
  return plan;
}

TEST(PlanFit, KnowsItsOwnBuild) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string id = elf::ElfFile(self).build_id();
  EXPECT_EQ(examine_fit(plan_for(id, self, id), {self}, true, true).front().level, Level::kFine);
}

TEST(PlanFit, TellsAnotherBuildFromAFileThatIsNotThere) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string id = elf::ElfFile(self).build_id();
  EXPECT_EQ(examine_fit(plan_for(id, self, id), {self}, true, false).front().level, Level::kAdvice)
      << "without passes nobody knows whether the plan is of this model";
  const Findings stale = examine_fit(plan_for("00ff", self, id), {self}, true, true);
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(stale[0].level, Level::kFault);
  EXPECT_NE(stale[0].text.find("00ff"), std::string::npos);
  EXPECT_NE(stale[0].text.find("66.7 %"), std::string::npos);

  const planner::PlanDescription elsewhere = plan_for(id, "/lib/libelsewhere.so", "00ff");
  EXPECT_EQ(examine_fit(elsewhere, {self}, true, true).front().level, Level::kFault);
  EXPECT_EQ(examine_fit(elsewhere, {self}, false, true).front().level, Level::kAdvice)
      << "it may still be loaded";
}

// A plan of six allocations, two in each of three binaries of other builds, with these paths.
planner::PlanDescription plan_of_three(const std::vector<std::string>& paths) {
  planner::PlanDescription plan;
  for (const std::string& path : paths) plan.modules.push_back({"00ff", path});
  plan.variants.resize(1);
  plan.variants[0].slots.resize(6);
  for (std::size_t i = 0; i < 6; ++i)
    plan.variants[0].slots[i].site.module = static_cast<std::uint32_t>(i % 3);
  return plan;
}

// The wheel was replaced by the next version. Its library's name has a new number in it.
TEST(PlanFit, SaysInOneLineThatAPackageIsAnotherVersion) {
  const Findings found =
      examine_fit(plan_of_three({"/v/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so",
                                 "/v/lib/python3.11/site-packages/torch/lib/libc10.so",
                                 "/v/lib/python3.11/site-packages/torch.libs/libgomp-a34b.so"}),
                  {"/v/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so",
                   "/v/lib/python3.11/site-packages/torch/lib/libc10.so",
                   "/v/lib/python3.11/site-packages/torch.libs/libgomp-7777.so"},
                  true, true);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].level, Level::kFault);
  EXPECT_EQ(
      found[0].text,
      "torch is another version than the plan was made from (3 of its binaries differ); 100.0 % of the plan's "
      "allocations come from there");
}

TEST(PlanFit, SaysInOneLineThatAPackageIsNotLoaded) {
  const planner::PlanDescription plan = plan_of_three(
      {"/v/dist-packages/torch/_C.so", "/v/dist-packages/torch/lib/libc10.so", "/lib/libm.so.6"});
  const Findings found = examine_fit(plan, {"/lib/libm.so.6"}, false, true);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(about(found, "plan").text.find("libm.so.6 is another build"), std::string::npos);
  EXPECT_EQ(found[1].text,
            "torch was not seen to be loaded; 66.7 % of the plan's allocations come from there");
}

TEST(OwnPlanners, AreNamedOnceWithWhatThereIsToGain) {
  const Findings found =
      examine_own_planners({"/v/ai_edge_litert/_pywrap_litert_interpreter_wrapper.so",
                            "/v/ai_edge_litert/libLiteRt.so", "/v/torch/lib/libtorch_cpu.so"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].level, Level::kFine);
  EXPECT_EQ(found[0].text, "LiteRT plans its own memory: there is nothing to gain here");
}

Seen seen_with(std::vector<std::string> log) {
  Seen seen;
  seen.mode = "profile";
  seen.trial.log = std::move(log);
  return seen;
}

TEST(TrialFindings, NoProcessWasReached) {
  EXPECT_EQ(about(examine(seen_with({})), "trial").level, Level::kFault);
}

TEST(TrialFindings, AWrapperThatIsKeptOutOfIsNoFault) {
  const std::string wrapper = "keeping out of /bin/wrapper: it defines malloc itself";
  EXPECT_EQ(about(examine(seen_with({wrapper})), "trial").level, Level::kFault);
  EXPECT_EQ(about(examine(seen_with({wrapper, "mode profile in /bin/server"})), "trial").level,
            Level::kAdvice);
}

TEST(TrialFindings, AnAllocatorInFrontIsCuredOtherwiseThanOneInTheProgram) {
  const auto cure = [](const char* line) { return about(examine(seen_with({line})), "trial").cure; };
  const char* in_front =
      "keeping out of /bin/server: /lib/libother.so stands before this library and takes every malloc; put "
      "/lib/libmemomalloc.so first in LD_PRELOAD";
  EXPECT_NE(cure(in_front).find("what sets LD_PRELOAD"), std::string::npos);
  const char* tcmalloc =
      "keeping out of /bin/server: /lib/libtcmalloc_minimal.so.4 stands before this library and takes every malloc; "
      "put /lib/libmemomalloc.so first in LD_PRELOAD. Programs that it starts get this library first";
  EXPECT_NE(cure(tcmalloc).find("libtcmalloc-memomalloc.so"), std::string::npos);
  EXPECT_NE(cure("keeping out of /bin/server: it brings mimalloc").find("a build of it"), std::string::npos);
}

TEST(TrialFindings, ModulesThatCannotBeMarkedAreOneLineForAPackage) {
  const Findings found =
      examine(seen_with({"passes of torch are not marked: AttributeError('nn')",
                         "passes of torch._dynamo.eval_frame are not marked: KeyError('x')",
                         "passes of jax are not marked: AttributeError('jit')"}));
  EXPECT_EQ(std::ranges::count(found, "marks", &Finding::about), 2);
  EXPECT_EQ(about(found, "marks").text, "passes of torch are not marked: AttributeError('nn')");
}

TEST(TrialFindings, WhatARefusedPlanIsToldOf) {
  Seen seen = seen_with({"mode serve in /bin/server",
                         "cannot serve from the plan /p: no memory for the slab; the heap serves"});
  seen.mode = "serve";
  EXPECT_EQ(about(examine(seen), "plan").level, Level::kFault);
}

TEST(TrialFindings, PassesOfAServerThatWaits) {
  Seen seen = seen_with({"mode profile in /bin/server", "hooked 7 functions"});
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kFault) << "it ended and had none";
  seen.trial.ended_itself = false;
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kAdvice);
  seen.trial.log.pop_back();
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kFault) << "nothing in it could be one";
  seen.passes = 3;
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kFine);
}

TEST(TrialFindings, NothingServedOfManyPasses) {
  Seen seen = seen_with({"mode serve in /bin/server"});
  seen.mode = "serve";
  seen.share = planner::ServedShare{.judged = {.served = 0, .missed = 100}, .passes = 5};
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kFault);
  seen.share->judged = {.served = 27, .missed = 73};
  EXPECT_EQ(examine(seen).back().level, Level::kAdvice) << "as of another model's plan";
  seen.share->judged = {.served = 99, .missed = 1};
  EXPECT_EQ(about(examine(seen), "passes").level, Level::kFine);
}

}  // namespace
}  // namespace memo::doctor
