// find_period is shown threads whose passes are known, because the test made them: it must find those and no others,
// whatever is strewn in between, and nothing in what has no passes.
#include "planner/period/period.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace memo::planner {
namespace {

constexpr Bytes kTensor = 100'000;
constexpr ContextId kRequest = 1;    // opens a pass of the programs below
constexpr ContextId kStrays = 5000;  // contexts from here on are nobody's

using Random = std::mt19937;

std::uint32_t below(Random& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

// One thread as it allocates and frees.
class Program {
 public:
  std::uint32_t allocate(ContextId context, Bytes size, std::uint32_t depth = 0) {
    now_ns_ += 100;
    steps_.push_back({.context = context, .size = size, .depth = depth, .at_ns = now_ns_});
    return here() - 1;
  }
  void release(std::uint32_t step) { steps_[step].freed_at = here(); }
  void wait(std::uint64_t ns) { now_ns_ += ns; }

  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(steps_.size()); }
  [[nodiscard]] const Sequence& steps() const { return steps_; }

 private:
  Sequence steps_;
  std::uint64_t now_ns_ = 0;
};

// Layer after layer: the tensor of one is freed by the next, some small blocks in each, a context of its own for each.
template <typename Between>
void run_layers(Program& program, ContextId first, int layers, const Between& between) {
  std::uint32_t input = program.allocate(first, kTensor);
  for (int layer = 1; layer < layers; ++layer) {
    const auto context = first + static_cast<ContextId>(4 * layer);
    between();
    const std::uint32_t shape = program.allocate(context, 64);
    const std::uint32_t output = program.allocate(context + 1, kTensor + layer);
    const std::uint32_t scratch = program.allocate(context + 2, 4096);
    program.release(scratch);
    program.release(shape);
    program.release(input);
    input = output;
  }
  program.release(input);
}

void run_layers(Program& program, ContextId first, int layers) {
  run_layers(program, first, layers, [] {});
}

// What a request does, from its first allocation to its last free.
void serve_request(Program& program, ContextId network = 100, int layers = 12) {
  const std::uint32_t request = program.allocate(kRequest, 200);
  run_layers(program, network, layers);
  program.release(request);
}

void load_weights(Program& program) {
  for (ContextId layer = 0; layer < 300; ++layer) program.allocate(kStrays + 1000 + layer % 7, 1000 * layer);
}

std::optional<Period> find(const std::vector<Sequence>& threads, const std::vector<ContextId>& closed = {}) {
  std::vector<bool> may_open(20'000, true);
  for (const ContextId context : closed) may_open[context] = false;
  Deadline never;
  return find_period(threads, may_open, never);
}

// What the pass allocates, its strays left out.
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
  Program program;
  load_weights(program);
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 20; ++pass) {
    program.wait(1'000'000);
    true_begins.push_back(program.here());
    serve_request(program);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  true_begins.pop_back();
  EXPECT_EQ(begins(*period), true_begins);
  EXPECT_EQ(period->stretches, 19U);
  EXPECT_EQ(period->covered, 1.0);
}

// An interpreter makes such a block again and again while it loads, and one more before each pass, after the longest wait.
TEST(Period, WhatLoadingIsFullOfOpensNoPass) {
  Program program;
  Random random(5);
  for (int step = 0; step < 20'000; ++step)
    program.allocate(step % 4 == 0 ? kRequest : kStrays + below(random, 300), below(random, 10'000));
  for (int pass = 0; pass < 20; ++pass) {
    program.wait(1'000'000);
    serve_request(program, 100, 60);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_NE(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 19U);
  EXPECT_EQ(period->stretches, 19U);
}

// As in a loop in Python: what the network returns lives into the next round, and is looked at between two of them. Before its
// last operator a block less is alive, and the wait is longer, but a caller deep in the network allocates there.
TEST(Period, APassOpensWhereTheLoopItselfAllocatesNotWhatItCalls) {
  Program program;
  std::optional<std::uint32_t> answer;
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 30; ++pass) {
    true_begins.push_back(program.here());
    program.release(program.allocate(kRequest, 4000, 500));
    program.wait(5'000);
    run_layers(program, 100, 40);
    program.wait(50'000);
    const std::uint32_t result = program.allocate(2, 4000, 6000);
    const std::uint32_t view = program.allocate(3, 200, 6000);
    if (answer) {
      program.release(*answer);
      program.release(*answer + 1);
    }
    answer = result;
    ASSERT_EQ(view, result + 1);
  }
  const auto deep_below = [](Sequence steps) {
    for (Step& step : steps)
      if (step.depth == 0) step.depth = 9000;
    return steps;
  };
  const auto period = find({deep_below(program.steps())});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  true_begins.pop_back();
  EXPECT_EQ(begins(*period), true_begins);
}

// The shallowest call site allocates twice in each round: the second time it would begin a pass of one step.
TEST(Period, WhatOpensEachPassTwiceIsTheWorseAnchor) {
  constexpr ContextId kTwice = 2;
  Program program;
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 30; ++pass) {
    true_begins.push_back(program.here());
    program.release(program.allocate(kRequest, 200, 2000));
    for (int time = 0; time < 2; ++time) program.release(program.allocate(kTwice, 32, 1000));
    program.wait(50'000);
    run_layers(program, 100, 40);
  }
  Sequence steps = program.steps();
  for (Step& step : steps)
    if (step.depth == 0) step.depth = 9000;
  const auto period = find({steps});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  true_begins.pop_back();
  EXPECT_EQ(begins(*period), true_begins);
}

// The recording ends right behind a pass, and the first pass warms up in its first half: an anchor in the middle has as many
// whole passes, and a half at either end. It is no better for that, and leaks.
TEST(Period, WhatIsCutOffAtTheEndsIsNoMerit) {
  Program program;
  load_weights(program);
  ContextId junk = kStrays;
  run_layers(program, 100, 300, [&] { program.allocate(junk++, 64); });
  run_layers(program, 100, 300);
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 12; ++pass) {
    true_begins.push_back(program.here());
    serve_request(program, 100, 300);
  }
  program.release(program.allocate(kRequest, 200));
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(begins(*period), true_begins);
}

// Where the least is alive a timer's context lies that cuts each pass in four, of which one is a pass: too few to be believed.
// That is no reason to find nothing.
TEST(Period, AnAnchorThatIsNotBelievedDoesNotHideAnother) {
  constexpr ContextId kTick = 2;
  constexpr ContextId kHeld = 3;
  Program program;
  for (int pass = 0; pass < 15; ++pass) {
    for (int tick = 0; tick < 4; ++tick) program.release(program.allocate(kTick, 64));
    std::vector<std::uint32_t> held;
    for (ContextId block = 0; block < 20; ++block) held.push_back(program.allocate(kHeld + block, 3000));
    run_layers(program, 100, 300);
    for (const std::uint32_t block : held) program.release(block);
  }
  std::vector<ContextId> closed;
  for (ContextId block = 0; block < 20; ++block) closed.push_back(kHeld + block);
  const auto period = find({program.steps()}, closed);
  ASSERT_TRUE(period);
  EXPECT_NE(period->anchor, kTick);
  EXPECT_GE(period->passes.size(), 14U);
}

// One thread loads, and does in parts what is also the middle of the other's passes.
TEST(Period, WhatAnotherThreadDoesByChanceIsNoReasonToCutPassesThrough) {
  constexpr ContextId kShared = 2;
  Program loading;
  ContextId junk = kStrays;
  for (int part = 0; part < 10; ++part) {
    for (int round = 0; round < 2; ++round) {
      loading.allocate(kShared, 200);
      run_layers(loading, 1000, 8);
    }
    for (int step = 0; step < 700; ++step) loading.allocate(junk++, 200);
  }
  Program serving;
  for (int pass = 0; pass < 20; ++pass) {
    serving.wait(1'000'000);
    const std::uint32_t request = serving.allocate(kRequest, 200);
    run_layers(serving, 100, 30);
    const std::uint32_t middle = serving.allocate(kShared, 200);
    run_layers(serving, 300, 30);
    serving.release(middle);
    serving.release(request);
  }
  const auto period = find({loading.steps(), serving.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 19U);
}

// What a script does between two requests, never twice alike, and of any length.
void do_something_else(Program& program, Random& random, ContextId& script) {
  for (std::uint32_t step = below(random, 4) == 0 ? 150 + below(random, 60) : below(random, 8); step > 0;
       --step)
    program.release(program.allocate(script++, 100));
}

// It opens that as it opens a pass.
TEST(Period, SomethingElseMayLieBetweenTwoPasses) {
  Program program;
  Random random(3);
  ContextId script = kStrays;
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 30; ++pass) {
    true_begins.push_back(program.here());
    serve_request(program, 100, 30);
    program.release(program.allocate(kRequest, 200));
    program.release(program.allocate(2, 200));
    do_something_else(program, random, script);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_GE(period->passes.size(), 28U);
  EXPECT_EQ(period->stretches, period->passes.size());  // the anchor opens passes alone
  for (const Stretch& pass : period->passes) {
    const auto next = std::upper_bound(true_begins.begin(), true_begins.end(), pass.begin);
    ASSERT_NE(next, true_begins.begin());
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
  Program program;
  std::vector<std::uint32_t> true_begins;
  for (int pass = 0; pass < 12; ++pass) {
    true_begins.push_back(program.here());
    const std::uint32_t request = program.allocate(kRequest, 200);
    std::uint32_t state = program.allocate(2, kTensor);
    for (int round = 0; round < 10; ++round) {
      run_layers(program, 100, 6);
      const std::uint32_t next = program.allocate(3, kTensor);
      program.release(state);
      state = next;
    }
    program.release(state);
    program.release(request);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  true_begins.pop_back();
  EXPECT_EQ(begins(*period), true_begins);
}

TEST(Period, VariantsThatTakeTurnsArePassesOfTheirOwn) {
  Program program;
  for (int pass = 0; pass < 40; ++pass) {
    program.wait(1000);
    serve_request(program, pass % 2 == 0 ? 100 : 1000, pass % 2 == 0 ? 60 : 80);
  }
  const auto period = find({program.steps()});
  ASSERT_TRUE(period);
  EXPECT_EQ(period->anchor, kRequest);
  EXPECT_EQ(period->passes.size(), 39U);
}

TEST(Period, ThreadsShareAnAnchorAndMayBeginAnywhere) {
  std::vector<Sequence> threads;
  for (int thread = 0; thread < 4; ++thread) {
    Program program;
    if (thread == 0) load_weights(program);
    run_layers(program, 100, 3 + thread);  // what is left of a pass that began before the recording
    for (int pass = 0; pass < 6; ++pass) {
      program.wait(50'000);
      serve_request(program);
    }
    threads.push_back(program.steps());
  }
  threads.emplace_back();  // one that never allocates
  const auto period = find(threads);
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
  Program program;
  for (int line = 0; line < 1000; ++line) {
    std::vector<std::uint32_t> words;
    for (ContextId word = 0; word < 40; ++word) words.push_back(program.allocate(word, 30 + word));
    for (const std::uint32_t word : words) program.release(word);
  }
  EXPECT_FALSE(find({program.steps()}));
}

TEST(Period, NothingIsClaimedOfAProgramWithoutOrder) {
  Program program;
  Random random(11);
  for (int step = 0; step < 50'000; ++step) {
    const std::uint32_t block = program.allocate(below(random, 200), below(random, 100'000));
    if (below(random, 2) == 0) program.release(block);
  }
  EXPECT_FALSE(find({program.steps()}));
  EXPECT_FALSE(find({}));
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
