// Passes share the regions of their peak: each takes one while it has blocks there, and goes on without where all are taken.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "runtime/platform/pages.h"
#include "runtime/serving/copies.h"
#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/children.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kBytes = 1 << 16;
constexpr std::uint64_t kOwn = 1;
constexpr std::uint64_t kPeak = 2;
constexpr std::uint64_t kOtherPeak = 3;
constexpr std::uint64_t kLast = 4;

// Two slots of the lane, and two of the peak between them, side by side.
PlanDescription plan_of_peaks(std::uint32_t regions) {
  PlanDescription plan = empty_plan();
  plan.variants = {
      {.slots = {large_slot(kOwn, kBytes, 0), large_slot(kPeak, kBytes, 2 * kBytes),
                 large_slot(kOtherPeak, kBytes, 3 * kBytes), large_slot(kLast, kBytes, kBytes)}}};
  plan.peaks = {.split = 2 * kBytes, .regions = regions, .concurrent = 4};
  return plan;
}

Lane* home_of(const void* block) {
  const std::uint64_t chunk = granule_of(block) / kChunkGranules;
  return &g_lanes[g_region.lane_of_chunk[chunk].load()];
}

std::uint32_t regions_of_plan() {
  return g_plan.load()->peak_regions.load();
}

bool is_idle(const Lane& region) {
  return LaneWord{region.word.load()}.state() == LaneState::kIdle;
}

void free_if_any(void* block) {
  EXPECT_TRUE(block == nullptr || release(block));
}

// A thread in a pass that holds the only region.
class Holder {
 public:
  Holder() {
    helper_.run([this] {
      pass_begin(0, __builtin_frame_address(0));
      own_ = allocate(kBytes, kOwn);
      peak_ = allocate(kBytes, kPeak);
    });
    EXPECT_TRUE(own_ != nullptr && peak_ != nullptr);
  }
  ~Holder() {
    helper_.run([this] {
      EXPECT_TRUE(release(own_));
      free_if_any(peak_);
      pass_end();
    });
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  [[nodiscard]] void* peak() const { return peak_; }
  [[nodiscard]] void* take_peak_over() { return std::exchange(peak_, nullptr); }
  void free_peak() {
    helper_.run([this] { EXPECT_TRUE(release(take_peak_over())); });
  }

 private:
  Helper helper_;
  void* own_ = nullptr;
  void* peak_ = nullptr;
};

TEST(Peaks, LieInARegionBesideTheLane) {
  serve(plan_of_peaks(1));
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  void* other = allocate(kBytes, kOtherPeak);
  void* last = allocate(kBytes, kLast);
  ASSERT_TRUE(own != nullptr && peak != nullptr && other != nullptr && last != nullptr);
  EXPECT_EQ(home_of(own), t_self.lane);
  EXPECT_EQ(home_of(last), t_self.lane);
  EXPECT_EQ(home_of(peak), t_self.lane->progress.peak);
  EXPECT_EQ(home_of(other), home_of(peak));
  EXPECT_EQ(static_cast<char*>(other) - static_cast<char*>(peak), static_cast<std::ptrdiff_t>(kBytes));
  EXPECT_EQ(usable_size(peak), kBytes);
  EXPECT_EQ(t_self.lane->bytes, 2 * kBytes);
  EXPECT_EQ(home_of(peak)->bytes, 2 * kBytes);
  for (void* block : {own, peak, other, last}) EXPECT_TRUE(release(block));
}

// The region goes back with the last block in it, in the middle of the pass, and the pass takes one again.
TEST(Peaks, GoBackWithTheirLastBlock) {
  serve(plan_of_peaks(1));
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  void* other = allocate(kBytes, kOtherPeak);
  const Lane& region = *home_of(peak);
  EXPECT_TRUE(release(peak));
  EXPECT_FALSE(is_idle(region));
  EXPECT_TRUE(release(other));
  EXPECT_TRUE(is_idle(region));
  EXPECT_EQ(t_self.lane->progress.peak, nullptr);
  void* again = allocate(kBytes, kPeak);
  EXPECT_EQ(again, peak);
  EXPECT_EQ(t_self.lane->progress.peaks_taken, 2u);
  EXPECT_TRUE(release(again));
  EXPECT_TRUE(release(own));
}

// The heap serves what finds no region, and nothing else: the pass goes on as planned.
TEST(Peaks, OfTooManyPassesGoToTheHeap) {
  serve(plan_of_peaks(1));
  const std::uint64_t refused = fallbacks(Reason::kNoPeak);
  {
    const Holder holder;
    const Pass pass;
    void* own = allocate(kBytes, kOwn);
    EXPECT_EQ(allocate(kBytes, kPeak), nullptr);
    EXPECT_EQ(allocate(kBytes, kOtherPeak), nullptr);
    EXPECT_EQ(t_self.cursor->site.load(), kLast);
    void* last = allocate(kBytes, kLast);
    ASSERT_NE(last, nullptr);
    EXPECT_FALSE(t_self.lane->progress.departed);
    EXPECT_TRUE(release(own));
    EXPECT_TRUE(release(last));
  }
  EXPECT_EQ(fallbacks(Reason::kNoPeak), refused + 2);
}

TEST(Peaks, AreFreeAsSoonAsTheHolderFreesThem) {
  serve(plan_of_peaks(1));
  Holder holder;
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* const before = holder.peak();
  holder.free_peak();
  void* peak = allocate(kBytes, kPeak);
  EXPECT_EQ(peak, before);
  EXPECT_TRUE(release(peak));
  EXPECT_TRUE(release(own));
}

// Another thread's free does not give the region back, but the holder's end does.
TEST(Peaks, FreedByAnotherThreadGoBackWithThePass) {
  serve(plan_of_peaks(1));
  const Lane* region = nullptr;
  {
    Holder holder;
    region = home_of(holder.peak());
    EXPECT_TRUE(release(holder.take_peak_over()));
    EXPECT_FALSE(is_idle(*region));
  }
  EXPECT_TRUE(is_idle(*region));
  EXPECT_TRUE(large_empty(*region));
}

// Returns a block of the peak that outlives its pass.
void* leave_block_of_peak() {
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* left = allocate(kBytes, kPeak);
  EXPECT_TRUE(release(own));
  return left;
}

// What outlives its pass keeps its bytes; the rest of the region serves the next pass, which gives it back all the same.
TEST(Peaks, WithABlockLeftInThemServeTheRest) {
  serve(plan_of_peaks(1));
  void* left = leave_block_of_peak();
  const Lane& region = *home_of(left);
  EXPECT_TRUE(is_idle(region));
  std::memset(left, 7, kBytes);
  const std::uint64_t occupied = fallbacks(Reason::kOccupied);
  {
    const Pass pass;
    void* own = allocate(kBytes, kOwn);
    EXPECT_EQ(allocate(kBytes, kPeak), nullptr);
    void* other = allocate(kBytes, kOtherPeak);
    ASSERT_NE(other, nullptr);
    std::memset(other, 8, kBytes);
    EXPECT_TRUE(release(other));
    EXPECT_TRUE(is_idle(region));
    EXPECT_TRUE(release(own));
  }
  EXPECT_EQ(fallbacks(Reason::kOccupied), occupied + 1);
  EXPECT_EQ(static_cast<char*>(left)[kBytes - 1], 7);
  EXPECT_TRUE(release(left));
  EXPECT_TRUE(large_empty(region));
}

// A region in which a block was left serves no pass as long as another one is empty.
TEST(Peaks, PreferEmptyRegions) {
  serve(plan_of_peaks(2));
  void* left = leave_block_of_peak();
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  ASSERT_NE(peak, nullptr);
  EXPECT_NE(home_of(peak), home_of(left));
  for (void* block : {own, peak, left}) EXPECT_TRUE(release(block));
}

// The blocks of one kind of pass are numbered otherwise than those of another: they never share a region.
TEST(Peaks, OfAnotherKindOfPassKeepTheRegion) {
  PlanDescription plan = plan_of_peaks(1);
  plan.variants.push_back(plan.variants[0]);
  plan.variants[0].pass_key = 1;
  plan.variants[1].pass_key = 2;
  serve(plan);
  void* left = nullptr;
  {
    const Pass pass(1);
    void* own = allocate(kBytes, kOwn);
    left = allocate(kBytes, kPeak);
    EXPECT_TRUE(release(own));
  }
  for (const bool is_left : {true, false}) {
    const Pass pass(2);
    void* own = allocate(kBytes, kOwn);
    void* peak = allocate(kBytes, kPeak);
    EXPECT_EQ(peak == nullptr, is_left);
    free_if_any(peak);
    EXPECT_TRUE(release(own));
    free_if_any(std::exchange(left, nullptr));
  }
}

// Two variants that part at the peak.
PlanDescription plan_of_parting_peaks() {
  PlanDescription plan = plan_of_peaks(1);
  plan.variants = {
      {.slots = {large_slot(kPeak, kBytes, 2 * kBytes), large_slot(kOtherPeak, kBytes, 3 * kBytes)}},
      {.slots = {large_slot(kPeak, kBytes, 2 * kBytes), large_slot(kLast, kBytes, 3 * kBytes)}}};
  return plan;
}

// A pass with blocks of its peak goes over to a variant with the same places, and keeps its region.
TEST(Peaks, GoWithAPassIntoAnotherVariant) {
  serve(plan_of_parting_peaks());
  const Pass pass;
  void* peak = allocate(kBytes, kPeak);
  void* last = allocate(kBytes, kLast);
  EXPECT_EQ(static_cast<char*>(last), static_cast<char*>(peak) + kBytes);
  free_if_any(last);
  EXPECT_TRUE(release(peak));
}

// A pass holds blocks of its peak: then it stays in its variant where another one has other places, as it does while it holds large
// blocks in its lane.
TEST(Peaks, KeepAPassInItsVariant) {
  PlanDescription plan = plan_of_parting_peaks();
  plan.variants.insert(plan.variants.begin() + 1, {.pass_key = 9, .slots = {large_slot(kOwn, kBytes, 0)}});
  serve(plan);
  const Pass pass;
  void* peak = allocate(kBytes, kPeak);
  EXPECT_EQ(allocate(kBytes, kLast), nullptr);
  EXPECT_TRUE(release(peak));
  void* last = allocate(kBytes, kLast);
  EXPECT_EQ(last == nullptr ? nullptr : home_of(last), home_of(peak));
  free_if_any(last);
}

// A signal handler may free the last block of the peak while its thread is inside the arena: the region stays its own.
TEST(Peaks, StayWhileTheThreadIsInsideTheArena) {
  serve(plan_of_peaks(1));
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  const Lane& region = *home_of(peak);
  const HotSlot* cursor = std::exchange(t_self.cursor, &kReentered);
  EXPECT_TRUE(release(peak));
  EXPECT_FALSE(is_idle(region));
  t_self.cursor = cursor;
  void* other = allocate(kBytes, kOtherPeak);
  EXPECT_EQ(home_of(other), &region);
  EXPECT_TRUE(release(other));
  EXPECT_TRUE(is_idle(region));
  EXPECT_TRUE(release(own));
}

// Runs a pass on this thread while another one holds a region.
void run_beside_a_holder() {
  const Holder holder;
  const Pass pass;
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  EXPECT_TRUE(release(own));
  free_if_any(peak);
}

// Passes that often find none get one more, and never more than there are lanes with passes.
TEST(Peaks, GetAnotherRegionWhereTheyAreOftenShort) {
  serve(plan_of_peaks(1));
  const std::uint64_t made = statistics().peaks_made;
  run_beside_a_holder();
  EXPECT_EQ(regions_of_plan(), 1u);
  for (int round = 0; round < 50; ++round) run_beside_a_holder();
  EXPECT_EQ(regions_of_plan(), 2u);
  EXPECT_EQ(statistics().peaks_made, made + 1);
  const std::uint64_t refused = fallbacks(Reason::kNoPeak);
  run_beside_a_holder();
  EXPECT_EQ(fallbacks(Reason::kNoPeak), refused);
}

TEST(Peaks, BeyondTheBudgetAreNotMade) {
  serve(plan_of_peaks(1));
  const MemoryBudget now = memory_budget();
  {
    const Pass pass;  // its lane has its memory, the region none yet
    void* own = allocate(kBytes, kOwn);
    set_memory_budget(0);
    EXPECT_EQ(allocate(kBytes, kPeak), nullptr);
    EXPECT_EQ(allocate(kBytes, kOtherPeak), nullptr);
    void* last = allocate(kBytes, kLast);
    EXPECT_NE(last, nullptr);
    EXPECT_TRUE(release(own));
    EXPECT_TRUE(release(last));
  }
  set_memory_budget(now.bytes);
}

// Idle regions give their pages back, apart from those of what lives in them.
TEST(Peaks, GiveIdlePagesBack) {
  serve(plan_of_peaks(1));
  void* left = nullptr;
  {
    const Pass pass;
    void* own = allocate(kBytes, kOwn);
    void* peak = allocate(kBytes, kPeak);
    left = allocate(kBytes, kOtherPeak);
    std::memset(peak, 1, kBytes);
    std::memset(left, 2, kBytes);
    EXPECT_TRUE(release(peak));
    EXPECT_TRUE(release(own));
  }
  const Lane& region = *home_of(left);
  const std::uint64_t before = resident_bytes(g_region.at(region.first_granule), region.bytes);
  EXPECT_GE(before, 2 * kBytes);
  EXPECT_GE(release_memory(), kBytes);
  EXPECT_EQ(resident_bytes(g_region.at(region.first_granule), region.bytes), kBytes);
  for (std::uint64_t at = 0; at < kBytes; ++at) ASSERT_EQ(static_cast<char*>(left)[at], 2);
  EXPECT_TRUE(release(left));
}

// A plan that grows has all in one part again, and serves sizes beyond its profile.
TEST(Peaks, JoinTheLaneWhereThePlanGrows) {
  serve(plan_of_peaks(1));
  const std::uint64_t grown = statistics().plans_grown;
  for (int round = 0; round < 3; ++round) {
    const Pass pass;
    for (const std::uint64_t site : {kOwn, kPeak, kOtherPeak, kLast})
      free_if_any(allocate(kBytes + 4096, site));
  }
  EXPECT_EQ(statistics().plans_grown, grown + 1);
  EXPECT_EQ(regions_of_plan(), 0u);
  const Pass pass;
  for (const std::uint64_t site : {kOwn, kPeak, kOtherPeak, kLast}) {
    void* block = allocate(kBytes + 4096, site);
    ASSERT_NE(block, nullptr) << site;
    EXPECT_EQ(home_of(block), t_self.lane);
    EXPECT_TRUE(release(block));
  }
}

// A plan is replaced while a pass holds a region of it: the region goes with the plan once the pass is over.
TEST(Peaks, GoWithTheirPlan) {
  serve(plan_of_peaks(1));
  const LoadedPlan* first = g_plan.load();
  const Lane* region = nullptr;
  {
    Holder holder;
    region = home_of(holder.peak());
    serve(plan_of_peaks(1));
    EXPECT_EQ(region->plan.load(), first);
    const Pass pass;
    void* own = allocate(kBytes, kOwn);
    void* peak = allocate(kBytes, kPeak);
    ASSERT_NE(peak, nullptr);
    EXPECT_NE(home_of(peak), region);
    EXPECT_TRUE(release(own));
    EXPECT_TRUE(release(peak));
  }
  serve(plan_of_peaks(1));
  EXPECT_NE(region->plan.load(), first);
}

// A copy of the process goes on in its pass with its region; the region of a thread that is not there is free in it.
TEST(Peaks, InACopyOfTheProcess) {
  serve(plan_of_peaks(2));
  const Holder holder;
  pass_begin(0, __builtin_frame_address(0));
  void* own = allocate(kBytes, kOwn);
  void* peak = allocate(kBytes, kPeak);
  ASSERT_NE(peak, nullptr);
  before_fork();
  const pid_t child = fork();
  if (child == 0) {
    after_fork_in_child();
    bool right = release(peak) && release(own) && is_idle(*home_of(peak)) && is_idle(*home_of(holder.peak()));
    pass_end();
    pass_begin(0, __builtin_frame_address(0));
    right = right && allocate(kBytes, kOwn) != nullptr && allocate(kBytes, kPeak) == peak;
    _exit(right ? 0 : 1);
  }
  after_fork_in_parent();
  EXPECT_TRUE(ends_well(child));
  EXPECT_TRUE(release(peak));
  EXPECT_TRUE(release(own));
  pass_end();
}

// Returns the block of the peak of a thread that ended in its pass.
void* peak_of_ended_thread() {
  void* peak = nullptr;
  std::thread([&] {
    pass_begin(0, __builtin_frame_address(0));
    (void)allocate(kBytes, kOwn);
    peak = allocate(kBytes, kPeak);
  }).join();
  return peak;
}

// A region whose thread ended in its pass is free again once a pass looks for one that ended.
TEST(Peaks, OfAThreadThatEndedAreFree) {
  serve(plan_of_peaks(1));
  void* peak = peak_of_ended_thread();
  ASSERT_NE(peak, nullptr);
  EXPECT_TRUE(comes_true(end_passes_of_ended_threads));
  EXPECT_TRUE(is_idle(*home_of(peak)));
  EXPECT_TRUE(release(peak));
}

// Nobody but passes that find no region may look for it: this thread finds lanes, and looked for ended threads at its first pass.
TEST(Peaks, OfAThreadThatEndedAreFreeWherePassesOftenFindNone) {
  serve(plan_of_peaks(1));
  const auto run_pass = [] {
    const Pass pass;
    void* own = allocate(kBytes, kOwn);
    free_if_any(allocate(kBytes, kPeak));
    EXPECT_TRUE(release(own));
  };
  run_pass();
  void* peak = peak_of_ended_thread();
  ASSERT_NE(peak, nullptr);
  const Lane& region = *home_of(peak);
  EXPECT_FALSE(is_idle(region));
  EXPECT_TRUE(comes_true([&] { return run_pass(), is_idle(region); }));
  EXPECT_TRUE(release(peak));
}

}  // namespace
}  // namespace memo::runtime
