// A pass that lost its place: how long it leaves its allocations to the heap, and where it comes back.
#include <cstdint>

#include "runtime/pass/back_off.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kUnknown = 1U << 20;  // a call site that no plan has

// Slots of `count` call sites from `first` on, each with a cell of its own.
void add_slots(PlanDescription& plan, std::uint32_t first, std::uint32_t count,
               std::uint32_t scope = kNoScope) {
  for (std::uint32_t site = first; site < first + count; ++site) {
    plan.variants[0].slots.push_back(cell_slot(site, 40, plan.cells.size(), scope));
    plan.cells.push_back(64);
  }
}

PlanDescription plan_of(std::uint32_t sites) {
  PlanDescription plan = empty_plan();
  plan.variants.emplace_back();
  add_slots(plan, 1, sites);
  return plan;
}

// Makes `count` allocations, the first at `site`, each at the next one or all at the same. Returns how many were served.
std::uint32_t allocate_many(std::uint32_t count, std::uint64_t site, std::uint64_t step) {
  std::uint32_t served = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    void* block = allocate(40, site + i * step);
    served += block != nullptr ? 1 : 0;
    EXPECT_TRUE(block == nullptr || release(block));
  }
  return served;
}

std::uint32_t allocate_as_planned(std::uint32_t count, std::uint64_t first) {
  return allocate_many(count, first, 1);
}

std::uint32_t allocate_unplanned(std::uint32_t count) {
  return allocate_many(count, kUnknown, 0);
}

class BackingOff : public ::testing::Test {
 protected:
  [[nodiscard]] std::uint64_t gave_up() const { return fallbacks(Reason::kGaveUp) - gave_up_; }
  [[nodiscard]] std::uint64_t searched() const { return fallbacks(Reason::kUnknownSite) - searched_; }

 private:
  std::uint64_t gave_up_ = fallbacks(Reason::kGaveUp);
  std::uint64_t searched_ = fallbacks(Reason::kUnknownSite);
};

TEST_F(BackingOff, APassComesBackAtACallSiteThatOccursOnce) {
  serve(plan_of(600));
  {
    Pass pass;
    EXPECT_EQ(allocate_as_planned(100, 1), 100U);
    EXPECT_EQ(allocate_unplanned(kPatience), 0U);
    EXPECT_EQ(allocate_as_planned(kPatience, 101), 0U);
    EXPECT_EQ(allocate_as_planned(500 - kPatience, 101 + kPatience), 500 - kPatience);
  }
  EXPECT_EQ(gave_up(), kPatience);
}

// Two operators allocate at one call site, the second of them larger blocks, so that only the operator tells where the
// pass is.
TEST_F(BackingOff, OperatorsLeadAPassThatRests) {
  constexpr std::uint32_t kSlots = 100;
  constexpr std::size_t kSmaller = 1024;
  constexpr std::size_t kLarger = 2048;
  PlanDescription plan = empty_plan();
  auto& variant = plan.variants.emplace_back();
  for (std::uint32_t slot = 0; slot < kSlots; ++slot)
    variant.slots.push_back(large_slot(1, kSmaller, slot * kSmaller, 0));
  for (std::uint32_t slot = 0; slot < kSlots; ++slot)
    variant.slots.push_back(large_slot(1, kLarger, kSlots * kSmaller + slot * kLarger, 1));
  variant.scopes = {{.name = "first", .first_slot = 0, .end_slot = kSlots},
                    {.name = "second", .first_slot = kSlots, .end_slot = 2 * kSlots}};
  serve(plan);
  Pass pass;
  scope_begin(scope_name_hash("first"));
  EXPECT_EQ(allocate_unplanned(2 * kPatience - 8), 0U);
  scope_end();
  scope_begin(scope_name_hash("second"));
  EXPECT_EQ(allocate_many(8, 1, 0), 0U);
  void* block = allocate(kLarger, 1);
  EXPECT_NE(block, nullptr);
  EXPECT_TRUE(block == nullptr || release(block));
}

// The pass is like one in which a JIT compiles: nothing of it is planned.
TEST_F(BackingOff, APassOfAnotherKindIsSearchedEverMoreSeldom) {
  constexpr std::uint32_t kAllocations = 10'000;
  constexpr std::uint32_t kRests = 7;  // 128 · (1 + 2 + … + 32) allocations in the first six of them
  serve(plan_of(10));
  {
    Pass pass;
    EXPECT_EQ(allocate_unplanned(kAllocations), 0U);
  }
  EXPECT_EQ(searched(), kPatience + (kRests - 1) * kPatienceAfterBackoff);
  EXPECT_EQ(searched() + gave_up(), kAllocations);
}

TEST_F(BackingOff, APassThatFoundItsPlaceRestsBrieflyAgain) {
  serve(plan_of(800));
  {
    Pass pass;
    allocate_unplanned(2 * kPatience);
    EXPECT_EQ(allocate_as_planned(400, 1), 400U);
    allocate_unplanned(2 * kPatience);
    EXPECT_EQ(allocate_as_planned(400, 401), 400U);
  }
  EXPECT_EQ(gave_up(), 2U * kPatience);
}

// As a signal handler finds it that allocates while a pass of a shorter variant begins in the lane of a longer one.
TEST_F(BackingOff, APassComesBackWithinItsVariantWhereverAnotherWasLost) {
  serve(plan_of(10));
  Pass pass;
  allocate_unplanned(kPatience);
  ThreadState& self = t_self;
  ASSERT_TRUE(is_backing_off(self));
  self.lane->progress.backoff_left = 0;
  self.lane->progress.lost_at = 1000;
  EXPECT_TRUE(has_backed_off(self));
  const Variant& variant = *self.lane->variant.load();
  EXPECT_EQ(self.cursor, variant.hot + variant.slot_count);
}

TEST_F(BackingOff, TheNextPassBeginsAtItsFirstSlot) {
  serve(plan_of(10));
  {
    Pass pass;
    allocate_unplanned(kPatience + 1);
  }
  Pass pass;
  EXPECT_EQ(allocate_as_planned(10, 1), 10U);
}

}  // namespace
}  // namespace memo::runtime
