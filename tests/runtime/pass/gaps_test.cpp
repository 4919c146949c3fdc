// A block that comes out of order, and whose own place is taken, gets the place of a large slot that is free and that the plan needs
// last. So the blocks that come next still find theirs. What the plan has no large slot for gets no such place.
#include <array>
#include <string>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr std::uint64_t kSite = 7;
constexpr std::uint64_t kBytes = 4096;
constexpr std::array kNames{"first", "second", "third", "fourth"};

// Four operators with a large block each. Those of the first two have the same place, so that they cannot live together.
PlanDescription four_operators() {
  PlanDescription plan = empty_plan();
  PlanVariantDescription& variant = plan.variants.emplace_back();
  const std::array<std::uint64_t, kNames.size()> places{0, 0, kBytes, 2 * kBytes};
  for (std::uint32_t number = 0; number < kNames.size(); ++number) {
    variant.scopes.push_back({.name = kNames[number], .first_slot = number, .end_slot = number + 1});
    variant.slots.push_back(large_slot(kSite, kBytes, places[number], number));
  }
  return plan;
}

char* allocate_in(const char* name, std::size_t size) {
  scope_begin(scope_name_hash(name));
  void* block = allocate(size, kSite);
  scope_end();
  return static_cast<char*>(block);
}

class Gaps : public ::testing::Test {
 protected:
  void SetUp() override { serve(four_operators()); }
};

TEST_F(Gaps, BlockOutOfOrderGetsThePlaceThatIsNeededLast) {
  const Pass pass;
  char* first = allocate_in("first", kBytes);
  ASSERT_NE(first, nullptr);
  char* second = allocate_in("second", kBytes);
  EXPECT_EQ(second, first + 2 * kBytes) << "the place of the fourth";
  char* third = allocate_in("third", kBytes);
  EXPECT_EQ(third, first + kBytes) << "its own place";
  release(second);
  char* fourth = allocate_in("fourth", kBytes);
  EXPECT_EQ(fourth, first + 2 * kBytes) << "its own place";
  for (char* block : {first, third, fourth}) release(block);
}

TEST_F(Gaps, HeapServesWhereNoPlaceIsFree) {
  const Pass pass;
  char* first = allocate_in("first", kBytes);
  char* third = allocate_in("third", kBytes);
  char* fourth = allocate_in("fourth", kBytes);
  EXPECT_EQ(allocate_in("second", kBytes), nullptr);
  for (char* block : {first, third, fourth}) release(block);
}

TEST_F(Gaps, SizeThatThePlanHasNoLargeSlotForGetsNone) {
  const Pass pass;
  char* first = allocate_in("first", kBytes);
  EXPECT_EQ(allocate_in("second", kBytes / 4), nullptr);
  release(first);
}

}  // namespace
}  // namespace memo::runtime
