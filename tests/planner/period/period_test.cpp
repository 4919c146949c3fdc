// find_period is shown threads whose passes are known, because the test made them: it must find those and no others,
// whatever is strewn in between, and nothing in what has no passes.
#include "planner/period/period.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/planner/period/period_programs.h"

namespace memo::planner {
namespace {

using namespace programs;

// Returns what the pass allocates, its strays left out.
std::vector<ContextId> contexts(const Sequence& thread, const Stretch& pass) {
  std::vector<ContextId> kept;
  for (std::uint32_t step = pass.begin; step < pass.end; ++step)
    if (!std::binary_search(pass.strays.begin(), pass.strays.end(), step))
      kept.push_back(thread[step].context);
  return kept;
}

std::vector<std::uint32_t> begins(const Period& period) {
  std::vector<std::uint32_t> all;
  for (const Stretch& pass : period.passes) all.push_back(pass.begin);
  return all;
}

TEST(Period, FindsEveryPassButTheLastWhichNothingCloses) {
  Known known = one_thread();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  known.begins.pop_back();
  EXPECT_EQ(begins(*period), known.begins);
  EXPECT_EQ(period->stretches, 19U);
  EXPECT_EQ(period->covered, 1.0);
}

TEST(Period, WhatLoadingIsFullOfOpensNoPass) {
  const Known known = loading_full_of_the_opener();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_NE(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 19U);
  EXPECT_EQ(period->stretches, 19U);
}

TEST(Period, APassOpensWhereTheLoopItselfAllocatesNotWhatItCalls) {
  Known known = loop_in_python();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  known.begins.pop_back();
  EXPECT_EQ(begins(*period), known.begins);
}

TEST(Period, WhatOpensEachPassTwiceIsTheWorseAnchor) {
  Known known = shallow_site_that_allocates_twice();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  known.begins.pop_back();
  EXPECT_EQ(begins(*period), known.begins);
}

// An anchor in the middle is no better for its two halves, and leaks.
TEST(Period, WhatIsCutOffAtTheEndsIsNoMerit) {
  const Known known = cut_off_at_both_ends();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(begins(*period), known.begins);
}

// One pass in four stretches is too few to be believed. That is no reason to find nothing.
TEST(Period, AnAnchorThatIsNotBelievedDoesNotHideAnother) {
  const Known known = timer_in_each_pass();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_NE(period->anchor, kTick);
  EXPECT_GE(period->passes.size(), 14U);
}

TEST(Period, WhatAnotherThreadDoesByChanceIsNoReasonToCutPassesThrough) {
  const Known known = thread_that_loads_what_another_runs();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 19U);
}

TEST(Period, SomethingElseMayLieBetweenTwoPasses) {
  const Known known = script_between_passes();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_GE(period->passes.size(), 28U);
  EXPECT_EQ(period->stretches, period->passes.size());  // the anchor opens passes alone
  for (const Stretch& pass : period->passes) {
    const auto next = std::upper_bound(known.begins.begin(), known.begins.end(), pass.begin);
    ASSERT_NE(next, known.begins.begin());
    EXPECT_LE(pass.begin, *(next - 1) + 1);
    EXPECT_EQ(pass.end, *(next - 1) + 1 + 1 + 29 * 3 + 2) << "nothing of the script, all of the request";
    EXPECT_TRUE(pass.strays.empty());
  }
}

// Each pass leaves something to the collector, then comes the script.
TEST(Period, WhatOutlivesAPassAtItsEndIsNoPartOfIt) {
  for (const bool quiet : {true, false}) {
    Program program;
    Random random(4);
    ContextId script = kStrays;
    std::vector<std::uint32_t> true_begins;
    for (int pass = 0; pass < 30; ++pass) {
      true_begins.push_back(program.here());
      serve_request(program);
      for (ContextId kept = 2; kept < 6; ++kept) program.allocate(kept, 4000);
      program.release(program.allocate(6, 40));
      if (!quiet) do_something_else(program, random, script);
    }
    const auto period = find({program.steps()});
    ASSERT_TRUE(period);
    EXPECT_EQ(period->anchor, kRequest);
    true_begins.resize(period->passes.size());
    EXPECT_EQ(begins(*period), true_begins);
    for (const Stretch& pass : period->passes) {
      EXPECT_EQ(pass.end - pass.begin, 2U + 11 * 3);
      for (std::uint32_t step = pass.begin; step < pass.end; ++step)
        EXPECT_LE(program.steps()[step].freed_at, pass.end);
    }
  }
}

TEST(Period, IdleTimeDoesNotMatter) {
  Program program;
  for (int pass = 0; pass < 10; ++pass) {
    program.wait(pass % 3 == 0 ? 60'000'000'000 : 10);
    serve_request(program);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->passes.size(), 9U);
}

TEST(Period, StraysOfAnyKindBelongToNoPass) {
  Program program;
  Random random(7);
  const auto maybe_stray = [&](ContextId context, std::uint32_t one_in) {
    if (below(random, one_in) == 0) program.allocate(context, 500);  // never freed
  };
  serve_request(program, 100, 40);
  const std::vector<ContextId> clean = contexts(program.steps(), {.end = program.here()});
  for (ContextId pass = 0; pass < 60; ++pass) {
    const std::uint32_t request = program.allocate(kRequest, 200);
    run_layers(program, 100, 40, [&] {
      maybe_stray(kStrays + pass, 100);  // from somewhere else each time
      maybe_stray(kStrays + 900, 50);    // a timer
      maybe_stray(104, 200);             // from where the pass allocates, too
    });
    program.release(request);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_GE(period->passes.size(), 55U);
  for (const Stretch& pass : period->passes) EXPECT_EQ(contexts(program.steps(), pass), clean);
}

TEST(Period, TheBodyOfALoopThatHandsATensorOnIsNoPass) {
  Known known = loop_within_each_pass();
  const auto period = find(known);
  ASSERT_TRUE(period);
  known.begins.pop_back();
  EXPECT_EQ(begins(*period), known.begins);
}

TEST(Period, VariantsThatTakeTurnsArePassesOfTheirOwn) {
  const Known known = variants_in_turn();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 39U);
}

TEST(Period, ThreadsShareAnAnchorAndMayBeginAnywhere) {
  const Known known = workers();
  const auto period = find(known);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 20U);
}

TEST(Period, WhatTheArenaWouldNotNoticeOpensNothing) {
  Program program;
  for (int pass = 0; pass < 10; ++pass) serve_request(program);
  const auto period = find({program.steps()}, {kRequest, 100});
  ASSERT_TRUE(period);
  EXPECT_NE(period->anchor, kRequest);
  EXPECT_NE(period->anchor, 100U);
  EXPECT_EQ(period->passes.size(), 9U);
}

TEST(Period, NothingIsClaimedOfThreeRuns) {
  Program program;
  for (int pass = 0; pass < 4; ++pass) serve_request(program);
  EXPECT_FALSE(find({program.steps()}));
}

TEST(Period, NothingIsClaimedOfALoopOverSmallThings) {
  EXPECT_FALSE(find(small_things()));
}

TEST(Period, NothingIsClaimedOfAProgramWithoutOrder) {
  EXPECT_FALSE(find(without_order()));
  EXPECT_FALSE(find(std::vector<Sequence>()));
}

// Programs from a seed: up to three variants of up to 400 steps in any order, up to two in a hundred steps strays, warm-up
// before. A pass is found where it begins, or not at all; nearly all are found; and what is left of each without its strays
// is its variant.
class RandomProgram : public testing::TestWithParam<std::uint32_t> {};

struct Body {
  std::vector<ContextId> contexts;
  std::vector<std::uint32_t> lengths;  // of lives, in steps; all end within the pass
};

Body random_body(Random& random, ContextId first) {
  Body body;
  const std::uint32_t steps = 60 + below(random, 340);
  for (std::uint32_t step = 0; step < steps; ++step) {
    body.contexts.push_back(step == 0 ? kRequest : first + below(random, steps / 2));
    body.lengths.push_back(step == 0 ? steps : 1 + below(random, std::min(steps - step, 20U)));
  }
  return body;
}

void run(Program& program, const Body& body, Random& random, std::uint32_t strays_in_a_thousand) {
  std::vector<std::pair<std::size_t, std::uint32_t>> due;
  for (std::size_t step = 0; step < body.contexts.size(); ++step) {
    std::erase_if(due, [&](const auto& one) {
      if (one.first == step) program.release(one.second);
      return one.first == step;
    });
    if (step > 0 && below(random, 1000) < strays_in_a_thousand)
      program.allocate(kStrays + below(random, 50), 64);
    due.emplace_back(step + body.lengths[step], program.allocate(body.contexts[step], 3000));
  }
  for (const auto& [when, block] : due) program.release(block);
}

TEST_P(RandomProgram, ItsPassesAreFoundWhereTheyBegin) {
  Random random(GetParam());
  const std::uint32_t strays = below(random, 20);
  std::vector<Body> bodies(1 + below(random, 3));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i] = random_body(random, 100 + static_cast<ContextId>(1000 * i));
  Program program;
  load_weights(program);
  std::vector<std::uint32_t> true_begins;
  std::vector<std::size_t> variants;
  for (int pass = 0; pass < 90; ++pass) {
    program.wait(below(random, 100'000));
    true_begins.push_back(program.here());
    variants.push_back(below(random, static_cast<std::uint32_t>(bodies.size())));
    run(program, bodies[variants.back()], random, strays);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_GE(period->passes.size(), 75U);
  for (const Stretch& pass : period->passes) {
    const auto begin = std::find(true_begins.begin(), true_begins.end(), pass.begin);
    ASSERT_NE(begin, true_begins.end());
    EXPECT_EQ(contexts(program.steps(), pass),
              bodies[variants[static_cast<std::size_t>(begin - true_begins.begin())]].contexts);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgram, testing::Range(0U, 60U));

}  // namespace
}  // namespace memo::planner
