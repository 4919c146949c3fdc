// A large block that a pass hands to its caller ends with the pass, as far as the plan is concerned, if the caller frees it before
// the next pass of the thread. Failure: a place for a block that the next pass still finds there, or none for an answer.
#include "planner/trace/pass_answers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace memo::planner {
namespace {

constexpr Bytes kPeak = 64 << 10;
constexpr Bytes kLeastAnswer = kPeak / 64 + 1;

// A pass of the thread from one nanosecond to another, with a block of kPeak bytes that it frees itself.
Pass pass_of(ThreadIndex thread, std::uint64_t begin_ns, std::uint64_t end_ns) {
  Pass pass{.thread = thread, .complete = true, .events = 4, .begin_ns = begin_ns, .end_ns = end_ns};
  pass.allocations.push_back(
      {.size = kPeak, .freed = true, .life = {0, 1}, .begin_ns = begin_ns, .end_ns = begin_ns + 1});
  return pass;
}

// A block that outlives its pass; freed at 0: never.
Allocation outliving(Bytes size, std::uint64_t freed_ns) {
  return {.size = size, .freed = freed_ns != 0, .escapes = true, .life = {2, 4}, .end_ns = freed_ns};
}

// A thread's passes from 10 to 20 and from 30 to 40, the first with this block.
Trace with(const Allocation& block) {
  Trace trace{.threads = 1};
  trace.passes = {pass_of(0, 10, 20), pass_of(0, 30, 40)};
  trace.passes[0].allocations.push_back(block);
  return trace;
}

bool outlives_its_pass(const Allocation& block) {
  Trace trace = with(block);
  end_answers_with_passes(trace);
  return trace.passes[0].allocations.back().escapes;
}

TEST(Answers, EndWithTheirPasses) {
  EXPECT_FALSE(outlives_its_pass(outliving(kLeastAnswer, 29)));
}

TEST(Answers, AreFreedBeforeTheNextPass) {
  EXPECT_TRUE(outlives_its_pass(outliving(kLeastAnswer, 30)));
  EXPECT_TRUE(outlives_its_pass(outliving(kLeastAnswer, 35)));
  EXPECT_TRUE(outlives_its_pass(outliving(kLeastAnswer, 0)));
}

TEST(Answers, AreMuchOfTheHighestPass) {
  EXPECT_TRUE(outlives_its_pass(outliving(kLeastAnswer - 1, 29)));
  Trace trace = with(outliving(kLeastAnswer, 29));
  trace.passes[1].allocations[0].size = 2 * kPeak;
  end_answers_with_passes(trace);
  EXPECT_TRUE(trace.passes[0].allocations.back().escapes);
}

TEST(Answers, AreOfCompletePasses) {
  Trace trace = with(outliving(kLeastAnswer, 29));
  trace.passes[0].complete = false;
  end_answers_with_passes(trace);
  EXPECT_TRUE(trace.passes[0].allocations.back().escapes);
}

TEST(Answers, OfTheLastPassHaveNoPassBehindThem) {
  Trace trace = with(outliving(kLeastAnswer, 29));
  trace.passes[1].allocations.push_back(outliving(kLeastAnswer, 1000));
  end_answers_with_passes(trace);
  EXPECT_FALSE(trace.passes[1].allocations.back().escapes);
}

TEST(Answers, AreNotToldByASinglePass) {
  Trace trace = with(outliving(kLeastAnswer, 29));
  trace.passes.pop_back();
  end_answers_with_passes(trace);
  EXPECT_TRUE(trace.passes[0].allocations.back().escapes);
}

// Passes of other threads run on other lanes.
RC_GTEST_PROP(Answers, OfAThreadDependOnItsOwnPassesAlone, ()) {
  const auto freed = *rc::gen::inRange<std::uint64_t>(21, 60);
  const auto other = *rc::gen::inRange<std::uint64_t>(21, 60);
  Trace trace = with(outliving(kLeastAnswer, freed));
  trace.threads = 2;
  trace.passes.insert(trace.passes.begin() + *rc::gen::inRange(1, 3), pass_of(1, other, other + 5));
  end_answers_with_passes(trace);
  RC_ASSERT(trace.passes[0].allocations.back().escapes == (freed >= 30));
}

}  // namespace
}  // namespace memo::planner
