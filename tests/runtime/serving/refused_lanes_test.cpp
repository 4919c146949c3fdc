// Passes for which there is no memory for a lane: the lane comes once there is some.
#include <thread>

#include "runtime/platform/limits.h"
#include "runtime/slab/region.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kSite = 4;
constexpr std::size_t kBlock = 1 << 20;

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
  }
  void TearDown() override { set_memory_budget(kNoLimit); }
};

TEST_F(RefusedLanes, ComeOnceThereIsRoom) {
  EXPECT_FALSE(serves_two_at_once());
  EXPECT_FALSE(serves_two_at_once());
  set_memory_budget(kNoLimit);
  EXPECT_TRUE(comes_true(serves_two_at_once));
}

}  // namespace
}  // namespace memo::runtime
