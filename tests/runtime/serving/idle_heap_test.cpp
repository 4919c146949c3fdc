// A block that is a large part of a pass makes the heap give back what lies idle before it is allocated, there or at a place that the
// pass had to search, and the lane as well where the heap provides it; and so does the begin of a pass. Failure: a peak that is the block
// and what is idle elsewhere together, a heap that gives back for smaller blocks, or a lane that gives back a live one. One test, since
// the warm-up of a process comes once.
#include <cstring>
#include <string_view>

#include "runtime/platform/pages.h"
#include "runtime/slab/heap_purge_policy.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::size_t kLargest = std::size_t{16} << 20;
constexpr std::size_t kLargePart = 2 * kLargest / 8;  // of the lane, which holds two of them
constexpr std::uint64_t kPlanned = 1;
constexpr std::uint64_t kUnknown = 2;
constexpr std::uint64_t kFirst = 3;
constexpr std::uint64_t kBeside = 4;

constinit int g_heap_gave_back = 0;
std::uint64_t heap_gives_back() {
  ++g_heap_gave_back;
  return 4096;
}

int gave_back_before(std::size_t bytes) {
  const Pass pass;
  g_heap_gave_back = 0;
  EXPECT_EQ(allocate(bytes, kUnknown), nullptr);
  return g_heap_gave_back;
}

// The pass does not begin with its first slot, so the place is searched.
int gave_back_before_a_place_is_found() {
  const Pass pass;
  g_heap_gave_back = 0;
  void* block = allocate(kLargest, kPlanned);
  EXPECT_NE(block, nullptr);
  release(block);
  return g_heap_gave_back;
}

int gave_back_at_begin() {
  g_heap_gave_back = 0;
  const Pass pass;
  return g_heap_gave_back;
}

char* allocate_filled(std::uint64_t site) {
  char* block = static_cast<char*>(allocate(kLargest, site));
  EXPECT_NE(block, nullptr);
  std::memset(block, 'x', kLargest);
  return block;
}

// Returns how much of a place that a block has left keeps its pages while the heap provides another one. The block beside it lives.
std::uint64_t left_in_lane() {
  const Pass pass;
  char* left = allocate_filled(kPlanned);
  char* lives = allocate_filled(kBeside);
  EXPECT_TRUE(release(left));
  EXPECT_EQ(allocate(kLargest, kUnknown), nullptr);
  EXPECT_FALSE(t_self.lane->keeps_small_pages) << "the pass goes on, and fills its place again";
  EXPECT_EQ(std::string_view(lives, kLargest).find_first_not_of('x'), std::string_view::npos);
  EXPECT_TRUE(release(lives));
  return resident_bytes(left, kLargest);
}

TEST(IdleHeapOfProcess, MakesRoomBeforeABlockThatIsALargePartOfAPassInTheWarmUpAlone) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  plan.variants[0].slots = {large_slot(kFirst, 4096, 0), large_slot(kPlanned, kLargest, 0),
                            large_slot(kBeside, kLargest, kLargest)};
  serve(plan);
  set_idle_heap_hook(heap_gives_back);
  EXPECT_EQ(gave_back_before(kLargePart), 0);
  EXPECT_EQ(gave_back_before(kLargePart + 1), 1);
  EXPECT_EQ(gave_back_before_a_place_is_found(), 1);
  EXPECT_EQ(gave_back_at_begin(), 0);  // a pass that was served has ended before
  EXPECT_EQ(left_in_lane(), 0U);
  EXPECT_EQ(gave_back_at_begin(), 1);
  for (std::uint32_t pass = 0; pass < IdleHeap::kWarmUpPasses; ++pass)
    static_cast<void>(heap_has_provided(2 * kLargest + pass, 0));
  EXPECT_EQ(gave_back_before(kLargest), 0);
  EXPECT_EQ(gave_back_before_a_place_is_found(), 0);
  EXPECT_EQ(left_in_lane(), kLargest);
  EXPECT_EQ(gave_back_at_begin(), 0);
}

}  // namespace
}  // namespace memo::runtime
