// Proves that the thread's route alone says who answers an allocation that no plan expects. The mode's table here counts
// its calls; the heap is the C library's.
#include "preload/dispatch/off_heap.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "preload/dispatch/backend.h"
#include "runtime/plan/anchors.h"

namespace memo::guest {
namespace {

struct Calls {
  int allocations = 0;
  int releases = 0;
  int boundaries = 0;
  int looks = 0;
  runtime::Boundary boundary;  // the last one
};
Calls g_calls;
char g_block[64];  // what the mode hands out

constexpr Backend kCounting{
    .first_route = Route::kRecorded,
    .allocate = [](std::size_t, std::size_t, AllocationKind, CallSite) -> void* {
      ++g_calls.allocations;
      return g_block;
    },
    .allocate_at_boundary = [](runtime::Boundary boundary, std::size_t, std::size_t, AllocationKind,
                               CallSite) -> void* {
      ++g_calls.boundaries;
      g_calls.boundary = boundary;
      return g_block;
    },
    .look_while_awaiting = [](std::uint32_t) { ++g_calls.looks; },
    .release = [](void*, CallSite) { ++g_calls.releases; },
};

constexpr std::uintptr_t kAnchorSite = 0x1234;

// One anchor of 40 bytes and less.
void set_anchor() {
  runtime::Anchor& row = runtime::g_anchors.rows[0];
  row.site.store(kAnchorSite);
  row.least.store(1);
  row.most.store(40);
  runtime::g_anchors.count.store(1);
}

class OffHeap : public ::testing::Test {
 protected:
  void SetUp() override { g_calls = {}; }
  void TearDown() override {
    t_route = Route::kPlainHeap;
    runtime::g_anchors.count.store(0);
  }

  // Returns true if the heap answers.
  static bool allocates_from_heap(Route route, std::size_t size, std::uintptr_t site = 1) {
    t_route = route;
    void* block = allocate_unforeseen(size, kDefaultAlignment, AllocationKind::kMalloc,
                                      {reinterpret_cast<const void*>(site), nullptr});
    EXPECT_NE(block, nullptr);
    if (block == g_block) return false;
    std::free(block);
    return true;
  }
};

TEST_F(OffHeap, TheModeAnswersOnItsOwnRoute) {
  EXPECT_FALSE(allocates_from_heap(Route::kRecorded, 40));
  EXPECT_FALSE(allocates_from_heap(Route::kPassThrough, 40));
  EXPECT_EQ(g_calls.allocations, 2);
  EXPECT_EQ(g_calls.boundaries + g_calls.looks, 0);
}

// This thread runs no pass that the arena knows of, so the plan has nothing for it.
TEST_F(OffHeap, TheArenaIsAskedInAPassAndTheModeIsNot) {
  EXPECT_TRUE(allocates_from_heap(Route::kInPass, 40));
  EXPECT_EQ(g_calls.allocations + g_calls.boundaries + g_calls.looks, 0);
}

TEST_F(OffHeap, TheModeHearsOfAnAnchorAndOfNoOtherAllocationOfThoseThatAwaitOne) {
  set_anchor();
  for (const Route route : {Route::kAwaiting, Route::kInPass}) {
    g_calls = {};
    EXPECT_TRUE(allocates_from_heap(route, 41, kAnchorSite));
    EXPECT_TRUE(allocates_from_heap(route, 40, kAnchorSite + 1));
    EXPECT_EQ(g_calls.boundaries, 0);
    EXPECT_FALSE(allocates_from_heap(route, 40, kAnchorSite));
    EXPECT_EQ(g_calls.boundaries, 1);
    EXPECT_EQ(g_calls.boundary.kind, runtime::Boundary::Kind::kOpens);
    EXPECT_EQ(g_calls.allocations, 0);
  }
}

TEST_F(OffHeap, TheModeLooksAroundNowAndThenWhileAThreadAwaits) {
  for (int allocation = 0; allocation < 640; ++allocation) allocates_from_heap(Route::kAwaiting, 40);
  EXPECT_EQ(g_calls.looks, 10);
}

TEST_F(OffHeap, TheModeReleasesWhatIsNoBlockOfTheSlab) {
  t_route = Route::kRecorded;
  release_watched(g_block, {nullptr, nullptr});
  EXPECT_EQ(g_calls.releases, 1);
}

}  // namespace

const Backend& backend() {
  return kCounting;
}

bool settle_thread() {
  t_route = kCounting.first_route;
  return true;
}

}  // namespace memo::guest
