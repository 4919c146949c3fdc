// A block that is much of a pass makes the heap give back what lies idle before it is allocated, there or at a place that the pass
// had to search. Failure: a peak that is the block and the leavings of the pass together, or a heap that gives back for smaller
// blocks. One test, since the warm-up of a process comes once.
#include "runtime/slab/heap_purge_policy.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::size_t kLargest = std::size_t{8} << 20;
constexpr std::uint64_t kPlanned = 1;
constexpr std::uint64_t kUnknown = 2;
constexpr std::uint64_t kFirst = 3;

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

TEST(IdleHeapOfProcess, MakesRoomBeforeABlockThatIsMuchOfAPassInTheWarmUpAlone) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  plan.variants[0].slots = {large_slot(kFirst, 4096, 0), large_slot(kPlanned, kLargest, 0)};
  serve(plan);
  set_idle_heap_hook(heap_gives_back);
  EXPECT_EQ(gave_back_before(kLargest / 4), 0);
  EXPECT_EQ(gave_back_before(kLargest / 4 + 1), 1);
  EXPECT_EQ(gave_back_before_a_place_is_found(), 1);
  for (std::uint32_t pass = 0; pass < IdleHeap::kWarmUpPasses; ++pass)
    static_cast<void>(heap_has_provided(kLargest + pass, 0));
  EXPECT_EQ(gave_back_before(kLargest), 0);
  EXPECT_EQ(gave_back_before_a_place_is_found(), 0);
}

}  // namespace
}  // namespace memo::runtime
