// The claim to record: one process at a time has it, and another gets it in the cases that the header lists and in no other.
// The other processes are children; those that are long idle are written down by hand.
#include "preload/modes/auto/recording_claim.h"

#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/platform/process_start.h"
#include "tests/preload/temporary_folder.h"
#include "tests/runtime/children.h"

namespace memo::guest {
namespace {

namespace fs = std::filesystem;
using claim::Work;
using runtime::testing::holds_in_copy;

std::int64_t seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

class RecordingClaim : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_);
    place_claim_beside((folder_ / "%c.%p.trace").c_str());
  }

  // Returns what another process gets that asks for the claim.
  static Claimed other_claims(Work work) {
    for (const Claimed answer : {Claimed::kMine, Claimed::kTaken})
      if (holds_in_copy([=] { return claim_recording(work) == answer; })) return answer;
    return Claimed::kNoFolder;
  }

  // Lets this process hold the claim, for so many seconds.
  void hold(Work work, std::int64_t age, std::uint64_t process = static_cast<std::uint64_t>(getpid())) {
    const claim::Record record{process, runtime::start_of_process(process), work, seconds_now() - age};
    std::ofstream(file_, std::ios::binary).write(reinterpret_cast<const char*>(&record), sizeof record);
  }

  const memo::testing::TemporaryFolder holder_;
  const fs::path folder_ = holder_.file("work");
  const fs::path file_ = folder_ / claim::kFileName;
};

TEST_F(RecordingClaim, IsHeldByOneProcessUntilItIsGivenUp) {
  EXPECT_EQ(claim_recording(Work::kPasses), Claimed::kMine);
  EXPECT_EQ(claim_recording(Work::kPasses), Claimed::kMine);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kTaken);
  EXPECT_EQ(other_claims(Work::kEverything), Claimed::kTaken);
  EXPECT_TRUE(holds_in_copy([] { return give_up_claim(), true; })) << "it is not the child's";
  EXPECT_TRUE(renew_claim(Work::kPasses));
  give_up_claim();
  EXPECT_FALSE(fs::exists(file_));
  give_up_claim();
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_EQ(other_claims(Work::kEverything), Claimed::kMine);
}

TEST_F(RecordingClaim, IsTakenOverFromAProcessThatHasEnded) {
  EXPECT_TRUE(holds_in_copy([] { return claim_recording(Work::kPasses) == Claimed::kMine; }));
  EXPECT_EQ(claim_recording(Work::kEverything), Claimed::kMine);
}

TEST_F(RecordingClaim, GoesToPassesFromOneThatSawNone) {
  EXPECT_EQ(claim_recording(Work::kEverything), Claimed::kMine);
  EXPECT_TRUE(holds_in_copy([] {
    return claim_recording(Work::kEverything) == Claimed::kTaken &&
           claim_recording(Work::kPasses) == Claimed::kMine && renew_claim(Work::kPasses);
  }));
  EXPECT_FALSE(renew_claim(Work::kPasses)) << "the other one has it";
}

TEST_F(RecordingClaim, GoesToTheProgramFromOneThatIsNot) {
  EXPECT_EQ(claim_recording(Work::kPassesOfAnother), Claimed::kMine);
  EXPECT_EQ(other_claims(Work::kEverything), Claimed::kTaken);
  EXPECT_EQ(other_claims(Work::kPassesOfAnother), Claimed::kTaken);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kMine);
}

TEST_F(RecordingClaim, SaysThatTheProgramMarksItsPasses) {
  EXPECT_FALSE(program_marks());
  say_that_program_marks();
  EXPECT_TRUE(holds_in_copy(program_marks));
}

TEST_F(RecordingClaim, LapsesWhereTheHolderIsIdle) {
  hold(Work::kPasses, 5);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kTaken);
  hold(Work::kPasses, 20);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kMine);
}

// Longer than that of one that records, and beyond its holder's end: the planner has the trace.
TEST_F(RecordingClaim, StaysWhileThePlanIsAwaited) {
  hold(Work::kAwaitsThePlan, 20);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kTaken);
  EXPECT_TRUE(holds_in_copy([] { return claim_recording(Work::kAwaitsThePlan) == Claimed::kTaken; }));
  hold(Work::kAwaitsThePlan, 20, 4'000'000);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kTaken) << "no process has that number";
  hold(Work::kAwaitsThePlan, 60);
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kMine);
}

TEST_F(RecordingClaim, IsEverybodysWhereItCannotBeWrittenDown) {
  fs::create_directory(file_);
  EXPECT_EQ(claim_recording(Work::kPasses), Claimed::kMine);
  EXPECT_TRUE(renew_claim(Work::kPasses));
  EXPECT_EQ(other_claims(Work::kPasses), Claimed::kMine);
}

TEST_F(RecordingClaim, FollowsNoLink) {
  const fs::path target = folder_ / "target";
  std::ofstream(target) << "somebody's";
  fs::create_symlink(target, file_);
  EXPECT_EQ(claim_recording(Work::kPasses), Claimed::kMine);
  EXPECT_EQ(fs::file_size(target), 10U);
}

TEST_F(RecordingClaim, SaysThatTheFolderIsGone) {
  fs::remove(folder_);
  EXPECT_EQ(claim_recording(Work::kPasses), Claimed::kNoFolder);
  EXPECT_TRUE(renew_claim(Work::kPasses));
}

}  // namespace
}  // namespace memo::guest
