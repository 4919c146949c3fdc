// The claim as one process has it: every way from one state to the next, with the file that the other processes see. The other
// processes are children, the planner's end is played by the test, and so is the time.
#include "preload/modes/auto/own_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "preload/modes/auto/own_planner.h"
#include "runtime/serving/copies.h"
#include "tests/preload/temporary_folder.h"
#include "tests/runtime/children.h"

namespace memo::guest {
namespace {

bool g_planner_ended = false;

}  // namespace

bool planner_has_ended() {
  return g_planner_ended;
}

namespace {

namespace fs = std::filesystem;
using claim::Work;
using runtime::testing::holds_in_copy;

class OwnClaimTest : public ::testing::Test {
 protected:
  void SetUp() override {
    (void)runtime::current_thread();  // by which the process learns its own number
    g_planner_ended = false;
    fs::create_directory(folder_);
    place_claim_beside((folder_ / "%c.%p.trace").c_str());
  }

  static bool other_may_record(Work work) {
    return holds_in_copy([=] { return claim_recording(work) == Claimed::kMine; });
  }

  void begin(Work work) {
    ASSERT_TRUE(claim_.take(work));
    EXPECT_FALSE(claim_.records()) << "not before the recording has begun";
    claim_.record();
    EXPECT_TRUE(claim_.records());
  }

  // Begins to record everything, and lets another process that has passes take the claim over.
  void lose() {
    begin(Work::kEverything);
    ASSERT_TRUE(other_may_record(Work::kPasses));
    ASSERT_FALSE(claim_.renew(Work::kEverything));
  }

  const memo::testing::TemporaryFolder holder_;
  const fs::path folder_ = holder_.file("work");
  const fs::path file_ = folder_ / claim::kFileName;
  OwnClaim claim_;
};

TEST_F(OwnClaimTest, KeepsOthersAwayUntilItIsGivenUp) {
  EXPECT_FALSE(claim_.records());
  begin(Work::kPasses);
  EXPECT_FALSE(other_may_record(Work::kPasses));
  EXPECT_TRUE(claim_.renew(Work::kPasses));
  EXPECT_TRUE(claim_.records());
  claim_.give_up();
  EXPECT_FALSE(claim_.records());
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(OwnClaimTest, IsGivenUpWhereNoRecordingBegan) {
  ASSERT_TRUE(claim_.take(Work::kPasses));
  claim_.give_up();
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(OwnClaimTest, IsHeldUntilThePlanComes) {
  begin(Work::kPasses);
  claim_.await_plan();
  EXPECT_FALSE(claim_.records());
  EXPECT_FALSE(other_may_record(Work::kPasses));
  claim_.give_up();
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(OwnClaimTest, IsNotGivenUpForAnotherProcess) {
  ASSERT_EQ(claim_recording(Work::kPasses), Claimed::kMine);  // of this process, by another object
  claim_.give_up();
  EXPECT_TRUE(fs::exists(file_)) << "this object holds nothing";
}

TEST_F(OwnClaimTest, WaitsForItsHolder) {
  ASSERT_TRUE(other_may_record(Work::kPasses));
  // The child has ended, so its claim may be taken over; a living one's may not.
  EXPECT_TRUE(claim_.take(Work::kPasses));
  claim_.record();
  EXPECT_TRUE(holds_in_copy([] {
    OwnClaim others;
    return !others.take(Work::kPasses) && !others.records();
  }));
}

TEST_F(OwnClaimTest, LeavesAGapWhereItIsLost) {
  EXPECT_FALSE(claim_.has_gap());
  lose();
  EXPECT_FALSE(claim_.records());
  EXPECT_TRUE(claim_.has_gap());
  EXPECT_TRUE(claim_.needs_new_trace()) << "the old one has allocations outside of passes";
  begin(Work::kPasses);
  EXPECT_FALSE(claim_.has_gap() || claim_.needs_new_trace());
}

TEST_F(OwnClaimTest, GoesOnWithATraceOfPasses) {
  lose();
  begin(Work::kPasses);
  fs::remove(file_);
  ASSERT_TRUE(holds_in_copy([] { return claim_recording(Work::kAwaitsThePlan) == Claimed::kMine; }));
  EXPECT_FALSE(claim_.renew(Work::kPasses));
  EXPECT_TRUE(claim_.has_gap());
  EXPECT_FALSE(claim_.needs_new_trace());
}

TEST_F(OwnClaimTest, IsLostWhereAnotherAwaitsThePlan) {
  begin(Work::kPasses);
  fs::remove(file_);
  ASSERT_TRUE(holds_in_copy([] { return claim_recording(Work::kAwaitsThePlan) == Claimed::kMine; }));
  claim_.await_plan();
  claim_.give_up();
  EXPECT_TRUE(fs::exists(file_)) << "it is the other one's";
  EXPECT_FALSE(claim_.take(Work::kPasses));
}

TEST_F(OwnClaimTest, NeedsANewTraceWhereThePlannerRemovedAnUnfinishedOne) {
  lose();
  begin(Work::kPasses);
  fs::remove(file_);
  ASSERT_TRUE(holds_in_copy([] { return claim_recording(Work::kAwaitsThePlan) == Claimed::kMine; }));
  ASSERT_FALSE(claim_.renew(Work::kPasses));
  fs::remove_all(folder_);
  g_planner_ended = true;
  EXPECT_FALSE(claim_.take(Work::kPasses)) << "until the next planner has made the folder";
  EXPECT_TRUE(claim_.needs_new_trace());
  EXPECT_TRUE(claim_.has_gap());
}

TEST_F(OwnClaimTest, NeedsNoNewTraceBeforeItHasBegunOne) {
  fs::remove_all(folder_);
  g_planner_ended = true;
  EXPECT_FALSE(claim_.take(Work::kPasses));
  EXPECT_FALSE(claim_.needs_new_trace());
}

TEST_F(OwnClaimTest, IsNobodysBusinessWhereThereIsNoFolder) {
  fs::remove_all(folder_);
  begin(Work::kPasses);
  claim_.give_up();
  EXPECT_FALSE(claim_.records());
}

TEST_F(OwnClaimTest, LooksAtTheFileOnceInEachPause) {
  EXPECT_TRUE(claim_.is_time_to_ask(5000));
  EXPECT_FALSE(claim_.is_time_to_ask(5000 + OwnClaim::kBetweenAsking - 1));
  EXPECT_TRUE(claim_.is_time_to_ask(5000 + OwnClaim::kBetweenAsking));
  EXPECT_TRUE(claim_.is_time_to_renew(6000));
  EXPECT_FALSE(claim_.is_time_to_renew(6000 + OwnClaim::kBetweenRenewals - 1));
  claim_.ask_at_once();
  EXPECT_TRUE(claim_.is_time_to_ask(6001));
}

}  // namespace
}  // namespace memo::guest
