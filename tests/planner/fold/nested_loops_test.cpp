// Loops in loops in the trace: tokens are generated, and in each of them operators loop over texts and heads. The passes become
// one variant, whose plan the arena serves for numbers of iterations that no trace had: whether operators have names or there
// are call sites alone, and whether an inner loop runs as often in each iteration of the outer one or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/check/check_plan.h"
#include "planner/check/dry_run.h"
#include "planner/check/servable.h"
#include "planner/fold/folded.h"
#include "planner/layout/find_variants.h"
#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_reader.h"
#include "planner/plan/plan_writer.h"
#include "planner/registry/registry.h"
#include "planner/sizes/structures.h"
#include "tests/planner/traced_program.h"

namespace memo::planner {
namespace {

// What a pass is asked for.
struct Asked {
  Bytes texts = 1;    // that an operator loops over
  Bytes prompt = 8;   // length of the inputs
  int tokens = 4;     // that are generated
  unsigned seed = 0;  // of what depends on the data
};

class Program : public testing::TracedProgram {
 public:
  using TracedProgram::TracedProgram;
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] Pass pass(std::uint64_t number, const Asked& asked) {
    return traced(number, [&] { run(asked); });
  }

 protected:
  virtual void run(const Asked& asked) = 0;
};

// Generates tokens through two layers, whose products loop over texts and heads. A large state is handed on from token to
// token.
class Decoder : public Program {
 public:
  using Program::Program;

 protected:
  static constexpr Bytes kHeads = 4, kWidth = 512;

  // Returns how often a product of this token loops.
  virtual Bytes rounds(const Asked& asked, std::mt19937& /*data*/) { return asked.texts * kHeads; }

  void run(const Asked& asked) override {
    std::mt19937 data(asked.seed);
    const Bytes rows = asked.texts * asked.prompt;
    const std::size_t prompt = make("embed", 0x10, rows * kWidth);
    std::size_t state = make("encode", 0x11, asked.texts * kWidth * 64);
    for (int token = 0; token < asked.tokens; ++token) {
      pass_through("pick", 0x12, asked.texts * 8);
      std::size_t hidden = make("lookup", 0x13, asked.texts * kWidth);
      for (int layer = 0; layer < 2; ++layer) hidden = run_layer(asked, data, hidden);
      const std::size_t next = make("advance", 0x14, asked.texts * kWidth * 64);
      release(state);
      release(hidden);
      state = next;
      pass_through("score", 0x15, asked.texts * 4096);
    }
    release(prompt);
    make("answer", 0x16, asked.texts * 64);
    release(state);
  }

  std::size_t run_layer(const Asked& asked, std::mt19937& data, std::size_t hidden) {
    const std::size_t parts = make("project", 0x20, 3 * asked.texts * kWidth);
    const std::size_t weights = product(0x30, asked.texts * asked.prompt * kHeads, rounds(asked, data));
    const std::size_t soft = make("softmax", 0x21, asked.texts * asked.prompt * kHeads);
    release(weights);
    const std::size_t mixed = product(0x40, asked.texts * kWidth, rounds(asked, data));
    release(soft);
    release(parts);
    const std::size_t out = make("linear", 0x22, asked.texts * kWidth);
    release(mixed);
    release(hidden);
    return out;
  }

  std::size_t product(std::uint64_t site, Bytes bytes, Bytes rounds) {
    std::size_t result = 0;
    in_operator("product", [&] {
      result = add(site, bytes);
      for (Bytes i = 0; i < rounds; ++i) round(i);
    });
    return result;
  }
  virtual void round(Bytes /*number*/) {
    const std::size_t view = make("view", 0x51, 192);
    const std::size_t buffer = add(0x52, 2048);
    pass_through("view", 0x53, 192);
    release(view);
    release(buffer);
  }
};

// Each product works on as many boxes as the data has at that moment; there may be one.
class Detector : public Decoder {
 public:
  using Decoder::Decoder;

 protected:
  Bytes rounds(const Asked& /*asked*/, std::mt19937& data) override {
    return 1 + static_cast<Bytes>(data() % 9);
  }
};

// In each round rows are gone through, of which there are ever more.
class ThreeLevels : public Decoder {
 public:
  using Decoder::Decoder;

 protected:
  Bytes rounds(const Asked& asked, std::mt19937& /*data*/) override { return asked.texts + 3; }
  void round(Bytes number) override {
    const std::size_t view = make("view", 0x51, 192);
    for (Bytes row = 0; row < number + 2; ++row) {
      pass_through("row", 0x54, 256);
      pass_through("sum", 0x55, 64);
    }
    pass_through("join", 0x56, 1024);
    release(view);
  }
};

std::vector<Asked> draw(std::size_t count, unsigned seed, int most_tokens = 24) {
  std::mt19937 dice(seed);
  std::vector<Asked> all{{.texts = 8, .prompt = 100, .tokens = most_tokens, .seed = seed}};
  while (all.size() < count)
    all.push_back({.texts = Bytes{1} << dice() % 4,
                   .prompt = 5 + static_cast<Bytes>(dice() % 96),
                   .tokens = 5 + static_cast<int>(dice() % static_cast<unsigned>(most_tokens - 4)),
                   .seed = static_cast<unsigned>(dice())});
  return all;
}

template <typename Kind>
Trace trace_of(const std::vector<Asked>& requests, bool operators) {
  Kind program(operators);
  Trace trace;
  for (const Asked& asked : requests) trace.passes.push_back(program.pass(trace.passes.size() + 1, asked));
  trace.names = program.names();
  trace.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  return trace;
}

PlannedVariants planned(const Variants& variants) {
  PlannedVariants result = plan_variants(variants, *find_strategy("greedy-size"), {});
  EXPECT_EQ(check_plan(result.plan).sentence, "");
  EXPECT_NO_THROW(require_servable(result.plan));
  return result;
}

// Expects that nothing is missed but the answers, which outlive their passes.
void expect_all_but_answers(const PlanDescription& plan, const Trace& trace) {
  const DryRun run = dry_run(plan, trace);
  EXPECT_EQ(run.fallback.at("kept"), trace.passes.size());
  EXPECT_LE(run.missed() - trace.passes.size(), run.served / 1000);
}

// Returns how many loops of the plan lie in each other at most.
std::size_t depth_of(const PlanVariantDescription& variant) {
  std::size_t deepest = 0;
  for (const PlanLoopDescription& loop : variant.loops)
    deepest =
        std::max(deepest, static_cast<std::size_t>(std::count_if(
                              variant.loops.begin(), variant.loops.end(), [&](const auto& outer) {
                                return outer.first_slot <= loop.first_slot && loop.end_slot <= outer.end_slot;
                              })));
  return deepest;
}

class NestedLoopsOf : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Programs, NestedLoopsOf, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Operators" : "SitesAlone"; });

template <typename Kind>
void expect_served(bool operators, std::size_t depth) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Variants found = [&] {
      const Trace trace = trace_of<Kind>(draw(30, seed), operators);
      return find_variants(DistinctPasses({&trace, 1}));
    }();
    ASSERT_EQ(found.variants.size(), 1U) << "seed " << seed;
    EXPECT_EQ(found.variants[0].runs, 30U);
    const PlannedVariants result = planned(found);
    EXPECT_EQ(depth_of(result.plan.variants[0]), depth);
    expect_all_but_answers(result.plan, trace_of<Kind>(draw(30, seed), operators));
    expect_all_but_answers(result.plan, trace_of<Kind>(draw(40, 100 + seed, 60), operators));
    EXPECT_EQ(decode_plan(encode_plan(result.plan)).variants[0].loops, result.plan.variants[0].loops);
  }
}

TEST_P(NestedLoopsOf, OverTextsInOperatorsOfTokensAreServed) {
  expect_served<Decoder>(GetParam(), 2);
}

TEST_P(NestedLoopsOf, OverBoxesThatDependOnTheDataAreServed) {
  expect_served<Detector>(GetParam(), 2);
}

TEST_P(NestedLoopsOf, OnThreeLevelsAreServed) {
  expect_served<ThreeLevels>(GetParam(), 3);
}

// Numbers that no profile had: one text, other numbers of texts, one token, and many.
TEST_P(NestedLoopsOf, OfOtherNumbersAreServed) {
  const Trace trace = trace_of<Decoder>(draw(30, 7), GetParam());
  const PlannedVariants result = planned(find_variants(DistinctPasses({&trace, 1})));
  std::vector<Asked> others;
  for (const int tokens : {1, 2, 3, 41, 77, 200})
    for (Bytes texts = 1; texts <= 8; ++texts)
      others.push_back({.texts = texts, .prompt = 50, .tokens = tokens});
  expect_all_but_answers(result.plan, trace_of<Decoder>(others, GetParam()));
}

// The state that tokens hand on has a place for each of two of them, which the loops in between do not touch.
TEST_P(NestedLoopsOf, HandLargeBlocksOnInTwoPlaces) {
  const Trace trace = trace_of<Decoder>(draw(30, 3), GetParam());
  const Variants found = find_variants(DistinctPasses({&trace, 1}));
  ASSERT_EQ(found.variants.size(), 1U);
  const Variant& variant = found.variants[0];
  ASSERT_FALSE(variant.loops.empty());
  EXPECT_EQ(variant.loops[0].period, 2U);
  const auto states = std::count_if(variant.demands.begin(), variant.demands.end(),
                                    [](const Demand& demand) { return demand.site.offset == 0x14; });
  EXPECT_EQ(states, 2);
  EXPECT_EQ(variant.loops.size(), 1U + 2 * 4);  // two products in each of two layers
  const PlannedVariants result = planned(found);
  EXPECT_LE(static_cast<double>(result.reports[0].height), 1.5 * static_cast<double>(variant.range.alone));
  EXPECT_EQ(result.reports[0].loops.size(), 5U);
}

// ---- rolling ----

// Returns a shape without operators.
Shape shape_of(const std::vector<ContextId>& contexts) {
  Shape shape;
  for (const ContextId context : contexts) {
    shape.sequence.steps.push_back({.context = context});
    shape.sequence.around.push_back(kNone);
  }
  shape.scopes_before.resize(contexts.size() + 1);
  return shape;
}

std::vector<Shape> folded(const std::vector<std::vector<ContextId>>& contexts) {
  std::vector<Shape> shapes;
  std::ranges::transform(contexts, std::back_inserter(shapes), shape_of);
  fold_together(shapes);
  return shapes;
}

// Appends a part so many times.
void repeat(std::vector<ContextId>& to, const std::vector<ContextId>& part, int times) {
  for (int i = 0; i < times; ++i) to.insert(to.end(), part.begin(), part.end());
}

TEST(FoldedTogether, IsOneLoopHoweverOftenItRuns) {
  std::vector<std::vector<ContextId>> contexts;
  for (const int times : {5, 1, 9, 2}) {
    contexts.push_back({7});
    repeat(contexts.back(), {1, 2, 3}, times);
    contexts.back().push_back(8);
  }
  const std::vector<Shape> all = folded(contexts);
  for (const Shape& one : all) {
    ASSERT_EQ(one.pieces.size(), 3U);
    EXPECT_EQ(one.pieces[1].id, all[0].pieces[1].id);
  }
  EXPECT_EQ(all[1].pieces[1].iterations.size(), 1U);
  EXPECT_EQ(all[2].pieces[1].iterations.size(), 9U);
}

TEST(FoldedTogether, WhatIsRepeatedEquallyOftenStays) {
  std::vector<ContextId> twelve{7};
  repeat(twelve, {1, 2, 3}, 12);
  for (const Shape& one : folded({twelve, twelve})) EXPECT_EQ(one.pieces.size(), twelve.size());
}

// What follows a loop begins with another step than its body, so that the arena need not guess.
TEST(FoldedTogether, CutsTheIterationsAsLateAsItCan) {
  std::vector<std::vector<ContextId>> contexts;
  for (const int times : {4, 6, 7}) {
    contexts.push_back({1});
    repeat(contexts.back(), {2, 3, 4}, times);
    repeat(contexts.back(), {2, 3, 5}, 1);
  }
  for (const Shape& one : folded(contexts)) {
    ASSERT_EQ(one.pieces.size(), 5U);  // 1 2 3 | 4 2 3 | 4 2 3 | … | 5
    EXPECT_TRUE(one.pieces[3].is_loop());
    EXPECT_EQ(one.pieces[3].begin, 3U);
  }
}

// The inner loop runs once, or another number of times in each iteration of the outer one.
TEST(FoldedTogether, FoldsInnerLoopsFirst) {
  std::vector<std::vector<ContextId>> contexts;
  std::mt19937 dice(1);
  for (int pass = 0; pass < 6; ++pass) {
    contexts.push_back({7});
    for (int outer = 0; outer < 4 + pass; ++outer) {
      repeat(contexts.back(), {10, 11}, 1);
      repeat(contexts.back(), {1, 2, 3}, 1 + static_cast<int>(dice() % 6));
      contexts.back().push_back(12);
    }
    contexts.back().push_back(8);
  }
  const std::vector<Shape> all = folded(contexts);
  for (std::size_t pass = 0; pass < all.size(); ++pass) {
    ASSERT_EQ(all[pass].pieces.size(), 3U) << pass;
    const Piece& outer = all[pass].pieces[1];
    EXPECT_EQ(outer.iterations.size(), 4 + pass);
    for (const Iteration& iteration : outer.iterations) {
      ASSERT_EQ(iteration.size(), 4U);
      EXPECT_TRUE(iteration[2].is_loop());
    }
  }
}

// A list that doubles allocates in its first, second, third, fifth and ninth iteration.
TEST(FoldedTogether, IterationsMayHaveAFewStepsMore) {
  std::vector<std::vector<ContextId>> contexts;
  for (const int iterations : {12, 15, 20}) {
    contexts.push_back({90});
    for (int iteration = 1; iteration <= iterations; ++iteration) {
      for (ContextId step = 1; step <= 8; ++step) contexts.back().push_back(step);
      if (iteration == 1 || iteration == 2 || iteration == 3 || iteration == 5 || iteration == 9 ||
          iteration == 17)
        contexts.back().push_back(50);
    }
    contexts.back().push_back(91);
  }
  const std::vector<Shape> all = folded(contexts);
  for (std::size_t pass = 0; pass < all.size(); ++pass) {
    std::size_t most = 0;
    for (const Piece& piece : all[pass].pieces) most = std::max(most, piece.iterations.size());
    EXPECT_GE(most, std::vector<std::size_t>({8, 11, 16})[pass]);
  }
}

// The body's operator is open until the step behind it: the last iteration is none.
TEST(FoldedTogether, DoesNotCutThroughAnOperator) {
  std::vector<Shape> all(2);
  for (std::size_t s = 0; s < 2; ++s) {
    const std::uint32_t times = 5 + 2 * static_cast<std::uint32_t>(s);
    for (std::uint32_t i = 0; i < times; ++i) {
      all[s].sequence.steps.push_back({.context = 1});
      all[s].sequence.around.push_back(kNone);
      all[s].sequence.steps.push_back({.context = 2});
      all[s].sequence.around.push_back(i);
      all[s].scopes_before.insert(all[s].scopes_before.end(), {i, i + 1});
    }
    all[s].sequence.steps.push_back({.context = 3});
    all[s].sequence.around.push_back(times - 1);
    all[s].scopes_before.insert(all[s].scopes_before.end(), {times, times});
  }
  fold_together(all);
  ASSERT_FALSE(all[0].pieces.empty());
  ASSERT_TRUE(all[0].pieces[0].is_loop());
  EXPECT_EQ(all[0].pieces[0].iterations.size(), 4U);
  EXPECT_EQ(all[1].pieces[0].iterations.size(), 6U);
}

}  // namespace
}  // namespace memo::planner
