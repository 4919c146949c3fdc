// Each slab faults at both ends: a program that runs over the end of its last block, or under its first, is stopped there
// instead of writing into another pass's memory. Failure: the byte before a slab, or the first page behind it, can be
// touched, or the slab itself cannot.
#include "runtime/serving/plan_in_force.h"
#include "runtime/slab/lane.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

struct Slab {
  std::uint64_t bytes;
  std::uint64_t
      reach;  // what may be touched: whole pages, and the rest of a huge page that is filled by half
};

class SlabGuard : public ::testing::TestWithParam<Slab> {};

// Three lanes, so that one has a slab on either side.
TEST_P(SlabGuard, FaultsAtBothEnds) {
  GTEST_FLAG_SET(death_test_style, "fast");
  PlanDescription plan = empty_plan();
  plan.variants = {{.slots = {large_slot(1, GetParam().bytes, 0)}}};
  set_lanes(3);
  serve(plan);
  set_lanes(0);
  int slabs = 0;
  for (const Lane& lane : g_lanes) {
    if (lane.plan.load() == nullptr || lane.plan.load() != g_plan.load()) continue;
    ++slabs;
    volatile char* begin = g_region.at(lane.first_granule);
    begin[0] = 1;
    begin[GetParam().bytes - 1] = 1;
    EXPECT_DEATH(begin[-1] = 1, "");
    EXPECT_DEATH(static_cast<void>(begin[-1]), "");
    EXPECT_DEATH(begin[GetParam().reach] = 1, "");
    EXPECT_DEATH(static_cast<void>(begin[GetParam().reach]), "");
  }
  EXPECT_EQ(slabs, 3);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SlabGuard,
                         ::testing::Values(Slab{64, 4096}, Slab{4096, 4096}, Slab{kMiB - 4160, kMiB - 4096},
                                           Slab{kMiB, 2 * kMiB}, Slab{2 * kMiB, 2 * kMiB},
                                           Slab{2 * kMiB + 4096, 2 * kMiB + 4096},
                                           Slab{4 * kMiB - 64, 4 * kMiB}),
                         [](const auto& slab) { return std::to_string(slab.param.bytes); });

}  // namespace
}  // namespace memo::runtime
