// The heap beside the slab is told to give back what lies idle before the first pass of the first plan, and when passes are not compared
// any more, once each time, and by nothing else that passes do:
// whatever they leave to it, it decides by itself, by time. Failure: a pass that pays for pages again and again, since another one, or
// a large block, made the heap give them back.
#include <cstring>

#include "runtime/platform/pages.h"
#include "runtime/serving/idle_heap.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::size_t kLarge = std::size_t{16} << 20;
constexpr std::uint64_t kPlanned = 1;
constexpr std::uint64_t kUnknown = 2;
constexpr int kPasses = 200;

constinit int g_gave_back = 0;
std::uint64_t gives_back() {
  ++g_gave_back;
  return 4096;
}

class IdleHeap : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_.variants.push_back({.slots = {large_slot(kPlanned, kLarge, 0)}});
    set_idle_heap_hook(gives_back);
    g_gave_back = 0;
  }
  void TearDown() override { set_idle_heap_hook(nullptr); }

  PlanDescription plan_ = empty_plan();
};

// The only test whose plan is the first one of the process.
TEST_F(IdleHeap, GivesBackOnceBeforeTheFirstPassOfTheFirstPlan) {
  const std::uint64_t before = statistics().released_heap_bytes;
  for (int plan = 0; plan < 2; ++plan) {
    serve(plan_);
    for (int number = 0; number < 3; ++number) const Pass pass;
    EXPECT_EQ(g_gave_back, plan == 0 ? 1 : 0);
    EXPECT_EQ(statistics().released_heap_bytes - before, 4096U);
    g_gave_back = 0;
  }
}

TEST_F(IdleHeap, GivesBackOnceWhereThatIsAskedFor) {
  serve(plan_);
  { const Pass first; }
  g_gave_back = 0;
  give_back_before_next_pass();
  EXPECT_EQ(g_gave_back, 0);
  for (int number = 0; number < 3; ++number) const Pass pass;
  EXPECT_EQ(g_gave_back, 1);
}

TEST_F(IdleHeap, IsLeftAloneByPassesHoweverMuchTheyTakeOfIt) {
  serve(plan_);
  { const Pass first; }
  g_gave_back = 0;
  for (int number = 0; number < kPasses; ++number) {
    const Pass pass;
    EXPECT_EQ(allocate(kLarge + static_cast<std::size_t>(number) * 4096, kUnknown), nullptr);
    release(allocate(kLarge, kPlanned));
  }
  EXPECT_EQ(g_gave_back, 0);
}

// What a block leaves in its place keeps its pages while the pass goes on, although the heap provides one beside it.
TEST_F(IdleHeap, HasNoLaneGiveBackPagesInsideAPass) {
  serve(plan_);
  const Pass pass;
  void* left = allocate(kLarge, kPlanned);
  ASSERT_NE(left, nullptr);
  std::memset(left, 1, kLarge);
  EXPECT_TRUE(release(left));
  EXPECT_EQ(allocate(kLarge, kUnknown), nullptr);
  EXPECT_EQ(resident_bytes(left, kLarge), kLarge);
}

}  // namespace
}  // namespace memo::runtime
