// No byte of the slab is handed out twice while it is live, whatever the program does and whatever the plan says.
// Random programs skip, add, reorder and resize allocations, free late, early, twice, in other threads or never,
// nest, interrupt and abandon passes, and replace plans in the middle; an independent map of the live blocks
// checks each answer, and marks in the blocks' first and last bytes check what nobody else should have touched.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tests/runtime/arena_fixture.h"
#include "tests/runtime/machine.h"

namespace memo::runtime {
namespace {

using namespace testing;

rc::Gen<Operation> any_operation() {
  const auto act = rc::gen::weightedElement<Act>({{3, Act::kPassBegin},
                                                  {2, Act::kPassEnd},
                                                  {40, Act::kNext},
                                                  {6, Act::kNextSized},
                                                  {5, Act::kSkip},
                                                  {6, Act::kStray},
                                                  {2, Act::kAligned},
                                                  {30, Act::kFree},
                                                  {2, Act::kFreeAgain},
                                                  {2, Act::kFreeInside},
                                                  {4, Act::kResize},
                                                  {6, Act::kScopeBegin},
                                                  {5, Act::kScopeEnd},
                                                  {1, Act::kLoadPlan}});
  return rc::gen::apply(
      [](Act what, std::uint32_t a, std::uint32_t b) {
        return Operation{what, a, b};
      },
      act, rc::gen::inRange<std::uint32_t>(0, 1000), rc::gen::inRange<std::uint32_t>(0, 60000));
}

// Short programs, which rapidcheck shrinks to the least one that fails.
RC_GTEST_PROP(Oracle, ShortProgramsNeverGetAByteTwice, ()) {
  auto program = *rc::gen::container<std::vector<Operation>>(any_operation());
  program.insert(program.begin(), {Act::kPassBegin, 0, 0});
  program.insert(program.begin(), {Act::kLoadPlan, *rc::gen::inRange<std::uint32_t>(0, Machine::kPlans), 0});
  Machine machine(plan_path());
  const auto wrong = machine.run(program);
  if (wrong) RC_FAIL(*wrong + "\n" + as_code(program));
}

// Mostly what a plan expects, with every kind of deviation mixed in.
Operation drawn(std::mt19937& dice) {
  static constexpr Act kRare[] = {Act::kPassBegin, Act::kPassEnd,    Act::kNextSized, Act::kSkip,
                                  Act::kStray,     Act::kAligned,    Act::kFreeAgain, Act::kFreeInside,
                                  Act::kResize,    Act::kScopeBegin, Act::kScopeEnd};
  const auto pick = dice() % 100;
  Act act = Act::kNext;
  if (pick >= 50) act = Act::kFree;
  if (pick >= 88) act = kRare[dice() % std::size(kRare)];
  if (dice() % 20000 == 0) act = Act::kLoadPlan;
  return {act, static_cast<std::uint32_t>(dice() % 1000), static_cast<std::uint32_t>(dice() % 60000)};
}

// Long walks: two million steps, several plans, blocks that outlive passes and plans.
TEST(Oracle, LongProgramsNeverGetAByteTwice) {
  std::uint64_t handed_out = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    std::mt19937 dice(seed);
    Machine machine(plan_path());
    ASSERT_EQ(machine.step({Act::kLoadPlan, seed, 0}), std::nullopt);
    for (int step = 0; step < 200'000; ++step) {
      const Operation operation = drawn(dice);
      const auto wrong = machine.step(operation);
      ASSERT_EQ(wrong, std::nullopt) << "seed " << seed << ", step " << step;
    }
    handed_out += machine.handed_out();
  }
  EXPECT_GT(handed_out, 200'000u);  // the walk really took place in the slab
}

// Threads run passes on their lanes and pass half of their blocks to each other to be freed; one replaces plans.
TEST(Stress, ThreadsFreeEachOthersBlocks) {
  static constexpr int kThreads = 4;
  static constexpr int kPasses = 300;
  const PlanDescription plan = PlanDice(3).draw();
  serve(plan);
  Shadow shadow;
  std::atomic<void*> parcels[64] = {};
  const auto free_block = [&](void* block) {
    if (block == nullptr) return;
    shadow.dies(block);
    EXPECT_TRUE(release(block));
  };
  const auto work = [&](unsigned seed) {
    std::mt19937 dice(seed);
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::size_t variant = dice() % plan.variants.size();
      Pass running(plan.variants[variant].pass_key);
      for (const PlanSlotDescription& slot : plan.variants[variant].slots) {
        void* block = allocate(slot.size, slot.site.offset);
        if (block == nullptr) continue;
        shadow.born(block, slot.size);
        static_cast<char*>(block)[slot.size - 1] = 1;
        free_block(dice() % 2 == 0 ? block : parcels[dice() % std::size(parcels)].exchange(block));
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= kThreads; ++seed) threads.emplace_back(work, seed);
  for (int round = 0; round < 20; ++round) serve(plan);
  for (std::thread& thread : threads) thread.join();
  for (std::atomic<void*>& parcel : parcels) free_block(parcel.exchange(nullptr));
  EXPECT_EQ(shadow.live(), 0u);
}

}  // namespace
}  // namespace memo::runtime
