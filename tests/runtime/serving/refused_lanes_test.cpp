// Passes for which there is no memory for a lane: the heap makes room first, and the lane comes once there is some.
#include <atomic>
#include <thread>

#include "runtime/platform/memory_limits.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kSite = 4;
constexpr std::size_t kBlock = 1 << 20;

std::atomic<int> g_asked_to_make_room{0};

std::uint64_t makes_no_room() {
  ++g_asked_to_make_room;
  return 0;
}

std::uint64_t makes_room() {
  ++g_asked_to_make_room;
  set_memory_budget(kNoLimit);
  return 1;
}

void begin_pass() {
  pass_begin(0, __builtin_frame_address(0));
}

// Returns true if a pass is served that begins while another one runs.
bool serves_two_at_once() {
  bool served = false;
  begin_pass();
  std::thread([&] {
    begin_pass();
    void* block = allocate(kBlock, kSite);
    served = block != nullptr && release(block);
    pass_end();
  }).join();
  pass_end();
  return served;
}

class RefusedLanes : public ::testing::Test {
 protected:
  // Serves a plan with memory for one lane alone.
  void SetUp() override {
    set_memory_budget(kNoLimit);
    PlanDescription plan = empty_plan();
    plan.variants.push_back({.slots = {large_slot(kSite, kBlock, 0)}});
    serve(plan);
    begin_pass();
    pass_end();
    set_memory_budget(0);
    g_asked_to_make_room = 0;
  }
  void TearDown() override {
    set_memory_budget(kNoLimit);
    set_idle_heap_hook(nullptr);
  }
};

TEST_F(RefusedLanes, ComeAtOnceWhereTheHeapMakesRoom) {
  set_idle_heap_hook(makes_room);
  EXPECT_TRUE(serves_two_at_once());
  EXPECT_EQ(g_asked_to_make_room, 1);
}

TEST_F(RefusedLanes, ComeLaterWhereThereWasNoRoom) {
  set_idle_heap_hook(makes_no_room);
  EXPECT_FALSE(serves_two_at_once());
  EXPECT_FALSE(serves_two_at_once());
  const int asked = g_asked_to_make_room;
  EXPECT_LE(asked, 1);
  EXPECT_FALSE(serves_two_at_once());
  EXPECT_EQ(g_asked_to_make_room, asked) << "each pass asks anew";
  set_memory_budget(kNoLimit);
  EXPECT_TRUE(comes_true(serves_two_at_once));
}

}  // namespace
}  // namespace memo::runtime
