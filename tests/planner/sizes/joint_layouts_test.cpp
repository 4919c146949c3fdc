// Passes of one structure and random sizes join, and their joint layout serves each of them, and others that they dominate.
#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "planner/check/check_plan.h"
#include "planner/check/dry_run.h"
#include "planner/layout/plan_variants.h"
#include "planner/registry/registry.h"
#include "tests/planner/joined_passes.h"

namespace memo::planner {
namespace {

using testing::Dice;
using testing::join;
using testing::LayoutChecker;
using testing::trace_of_net;

// Names an allocation: the step of the program, the iteration of that step's loop, and the place in its body.
using Moment = std::tuple<std::size_t, std::size_t, std::size_t>;

struct Block {
  Bytes largest = 64;
  std::size_t iterations = 0;  // later in its loop before which it is freed; 0: with its own iteration
  std::size_t steps = 1;       // later before which it is freed, if it leaves its step
  bool leaves = true;
  std::uint64_t site = 0;
};

// An allocation, or a body that is repeated.
struct Step {
  std::vector<Block> body;
  bool is_loop = false;
  bool is_optional = false;
};
using Program = std::vector<Step>;

Block draw_block(Dice& dice, bool in_loop) {
  Block block{.largest = static_cast<Bytes>(512 + dice.below(dice.below(3) == 0 ? 200'000 : 4'000))};
  block.leaves = !in_loop || dice.below(5) == 0;
  block.steps = 1 + dice.below(4);
  block.iterations = dice.below(3);
  // A layout for any number of iterations costs what they hand on several times: too much, if that were large.
  if (in_loop && (block.leaves || block.iterations != 0)) block.largest %= 600;
  return block;
}

// A large block, and single steps around one to three loops; one step in ten is taken by some passes only.
Program draw_program(Dice& dice) {
  Program program = {{.body = {{.largest = 400'000, .site = 1}}}};
  std::uint64_t site = 2;
  const auto add = [&](bool is_loop, std::size_t blocks) {
    Step step{.is_loop = is_loop, .is_optional = !is_loop && dice.below(10) == 0};
    for (std::size_t i = 0; i < blocks; ++i) {
      step.body.push_back(draw_block(dice, is_loop));
      step.body.back().site = site++;
    }
    program.push_back(std::move(step));
  };
  for (std::size_t loops = 1 + dice.below(3); loops != 0; --loops) {
    for (std::size_t singles = 3 + dice.below(6); singles != 0; --singles) add(false, 1);
    add(true, 2 + dice.below(4));
  }
  for (std::size_t singles = 1 + dice.below(6); singles != 0; --singles) add(false, 1);
  return program;
}

// Writes the passes of a program.
class Passes {
 public:
  Passes(const Program& program, Dice& dice) : program_(program), dice_(dice) {}

  // Returns the pass with all steps and the largest sizes.
  Pass largest(std::size_t iterations) { return run(iterations, false); }
  // Returns a pass that the largest of at least as many iterations dominates.
  Pass smaller(std::size_t most_iterations) { return run(most_iterations, true); }

 private:
  static constexpr std::size_t kFewestIterations = 4;

  Pass run(std::size_t iterations, bool smaller) {
    pass_ = {.number = ++number_, .name = 1, .complete = true};
    deaths_.clear();
    for (std::size_t step = 0; step < program_.size(); ++step) {
      if (smaller && program_[step].is_optional && dice_.below(2) == 0) continue;
      const std::size_t few = kFewestIterations + dice_.below(iterations - kFewestIterations + 1);
      const std::size_t count = !program_[step].is_loop ? 1 : smaller ? few : iterations;
      for (std::size_t i = 0; i < count; ++i) run_body(step, i, smaller);
    }
    free_before({program_.size(), 0, 0});
    free_before({SIZE_MAX, 0, 0});
    return std::move(pass_);
  }

  void run_body(std::size_t step, std::size_t iteration, bool smaller) {
    const std::vector<Block>& body = program_[step].body;
    for (std::size_t place = 0; place < body.size(); ++place) {
      const Block& block = body[place];
      free_before({step, iteration, place});
      const auto share = static_cast<Bytes>(smaller ? 1 + dice_.below(1000) : 1000);
      deaths_.emplace(death_of(block, step, iteration, place), pass_.allocations.size());
      pass_.allocations.push_back({.size = std::max<Bytes>(1, block.largest * share / 1000),
                                   .alignment = 16,
                                   .freed = true,
                                   .life = {pass_.events, pass_.events + 1},
                                   .site = {.module = 0, .offset = block.site}});
      ++pass_.events;
    }
  }

  static Moment death_of(const Block& block, std::size_t step, std::size_t iteration, std::size_t place) {
    if (block.leaves) return {step + block.steps, 0, 0};
    return block.iterations == 0 ? Moment{step, iteration + 1, 0}
                                 : Moment{step, iteration + block.iterations, place + 1};
  }

  void free_before(const Moment& moment) {
    while (!deaths_.empty() && deaths_.begin()->first <= moment) {
      pass_.allocations[deaths_.begin()->second].life.end = pass_.events++;
      deaths_.erase(deaths_.begin());
    }
  }

  const Program& program_;
  Dice& dice_;
  Pass pass_;
  std::multimap<Moment, std::size_t> deaths_;
  std::uint64_t number_ = 0;
};

constexpr std::size_t kMostIterations = 14;
constexpr std::size_t kPasses = 12;

// The first pass dominates all others; the second has all steps, too, and fewer iterations.
Trace draw_trace(const Program& program, Dice& dice) {
  Passes passes(program, dice);
  Trace trace = trace_of_net({passes.largest(kMostIterations), passes.largest(5)});
  while (trace.passes.size() < kPasses) trace.passes.push_back(passes.smaller(kMostIterations));
  return trace;
}

// Returns what is wrong with the pass in the layout, "" for nothing. The slots of a site come one after the other, again and again.
std::string fault(const LayoutChecker& checker, const Pass& pass) {
  std::map<std::uint64_t, std::size_t> made;  // site → its allocations so far
  return checker.fault(pass, [&](std::size_t i, const std::vector<std::uint32_t>& slots) {
    return slots[made[pass.allocations[i].site.offset]++ % slots.size()];
  });
}

constexpr unsigned kPrograms = 60;

void expect_served(unsigned seed) {
  Dice dice(seed);
  const Program program = draw_program(dice);
  const Trace trace = draw_trace(program, dice);
  const Variants joined = join(trace);
  ASSERT_EQ(joined.variants.size(), 1U);
  EXPECT_EQ(joined.variants[0].runs, kPasses);
  EXPECT_EQ(joined.variants[0].shapes, kPasses);
  EXPECT_FALSE(joined.variants[0].loops.empty());
  const PlannedVariants planned = plan_variants(joined, *find_strategy("greedy-size"), {});
  ASSERT_EQ(check_plan(planned.plan).sentence, "");
  const LayoutChecker checker(planned.plan);
  for (const Pass& pass : trace.passes)
    ASSERT_EQ(fault(checker, pass), "") << "profiled pass " << pass.number;
  Passes others(program, dice);
  for (int other = 0; other < 20; ++other)
    ASSERT_EQ(fault(checker, others.smaller(kMostIterations + 10)), "") << "other pass " << other;
}

TEST(JointLayouts, ServeEveryPassThatTheyDominate) {
  for (unsigned seed = 1; seed <= kPrograms && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_served(seed);
  }
}

void expect_range_known(unsigned seed) {
  Dice dice(seed);
  const Trace trace = draw_trace(draw_program(dice), dice);
  const PlannedVariants planned = plan_variants(join(trace), *find_strategy("greedy-size"), {});
  std::map<std::uint64_t, std::pair<Bytes, Bytes>> seen;  // site → the smallest and the largest
  for (const Pass& pass : trace.passes) {
    for (const Allocation& made : pass.allocations) {
      auto& [least, most] = seen.try_emplace(made.site.offset, made.size, made.size).first->second;
      least = std::min(least, made.size);
      most = std::max(most, made.size);
    }
  }
  for (const PlanSlotDescription& slot : planned.plan.variants.at(0).slots) {
    const auto& [least, most] = seen.at(slot.site.offset);
    EXPECT_EQ(slot.size, static_cast<std::uint64_t>(most));
    EXPECT_EQ(slot.size - slot.spread, static_cast<std::uint64_t>(least));
  }
}

// The sizes that were seen are known, from the smallest to the largest.
TEST(JointLayouts, KnowTheRangeOfTheirSizes) {
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    SCOPED_TRACE(seed);
    expect_range_known(seed);
  }
}

// The arena itself serves them, what the loops gather included.
TEST(JointLayouts, AreServedFrom) {
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    Dice dice(seed);
    const Trace trace = draw_trace(draw_program(dice), dice);
    const DryRun run = dry_run(plan_variants(join(trace), *find_strategy("greedy-size"), {}).plan, trace);
    EXPECT_GE(static_cast<double>(run.served), 0.97 * static_cast<double>(run.served + run.missed())) << seed;
  }
}

}  // namespace
}  // namespace memo::planner
