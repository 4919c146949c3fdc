// Random programs with loops in loops: the variant that their passes are joined to serves each of them, and others with numbers
// of iterations that no pass had. The iterations of the loops around an allocation say which of its site's slots it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
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

// Where a block is freed: in its iteration, in the next one of its loop (what the last hands on, after the loop), after the
// loop, in the next iteration of the loop around that one, or with the pass.
enum class Death : std::uint8_t { kHere, kNext, kBehind, kNextAround, kWithPass };

// An allocation, or a loop over steps.
struct Step {
  std::uint64_t site = 0;
  Bytes largest = 64;
  Death death = Death::kHere;
  std::size_t place = 0;  // of the step before which it is freed
  std::vector<Step> body;
};

// A body has a step of its own at its begin and its end, so that what follows a loop is never like it.
std::vector<Step> draw_body(Dice& dice, int depth, std::uint64_t& site) {
  std::vector<Step> body;
  const std::size_t steps = 3 + dice.below(4);
  for (std::size_t i = 0; i < steps; ++i) {
    Step step{.site = site++, .body = {}};
    step.place = i + 1 + dice.below(4);
    if (depth > 0 && dice.below(4) == 0) step.death = static_cast<Death>(1 + dice.below(4));
    if (step.death == Death::kWithPass && dice.below(3) != 0) step.death = Death::kHere;
    // A layout for any number of iterations costs what they hand on several times: too much, if that were large.
    const bool small = step.death != Death::kHere;
    step.largest = static_cast<Bytes>(64 + dice.below(small ? 500 : depth == 0 ? 100'000 : 8'000));
    if (small) step.place = dice.below(steps + 2);
    body.push_back(step);
    if (depth < 3 && i + 1 < steps && dice.below(depth == 0 ? 2 : 4) == 0)
      body.push_back({.body = draw_body(dice, depth + 1, site)});
  }
  return body;
}

// Writes the passes of a program.
class Passes {
 public:
  Passes(const std::vector<Step>& program, Dice& dice) : program_(program), dice_(dice) {}

  // Returns a pass with so many iterations of each loop, or with fewer, but not with fewer than three.
  Pass run(std::size_t iterations, bool fewer) {
    pass_ = {.number = ++number_, .name = 1, .complete = true};
    paths_.clear();
    iterations_ = iterations;
    fewer_ = fewer;
    Frame whole;
    at_end_.clear();
    run_body(program_, whole, nullptr);
    for (const std::size_t index : at_end_) release(index);
    return std::move(pass_);
  }
  // Returns the iterations of the loops around each allocation of the last pass.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& paths() const { return paths_; }

 private:
  // The blocks to be freed before a place of an iteration.
  using Frame = std::map<std::size_t, std::vector<std::size_t>>;
  // A run of a loop: what is to be freed in its later iterations, and the iteration that it is in.
  struct Running {
    std::map<std::size_t, Frame> later;
    std::size_t iteration = 0;
    std::size_t count = 0;
    Running* around = nullptr;
    Frame* outside = nullptr;  // of the iteration that the loop lies in
    std::size_t place = 0;     // there
  };

  void run_body(const std::vector<Step>& body, Frame& frame, Running* loop) {
    for (std::size_t place = 0; place < body.size(); ++place) {
      free_at(frame, place);
      if (loop != nullptr) free_at(loop->later[loop->iteration], place);
      if (body[place].body.empty())
        make(body[place], frame, loop);
      else
        run_loop(body[place].body, frame, loop, place);
    }
    for (auto& [place, blocks] : frame) free_all(blocks);
  }

  void run_loop(const std::vector<Step>& body, Frame& frame, Running* around, std::size_t place) {
    Running loop{.around = around, .outside = &frame, .place = place};
    loop.count = fewer_ ? 3 + dice_.below(iterations_ - 2) : iterations_;
    for (; loop.iteration < loop.count; ++loop.iteration) {
      path_.push_back(loop.iteration);
      Frame inside;
      run_body(body, inside, &loop);
      for (auto& [at, blocks] : loop.later[loop.iteration]) free_all(blocks);
      path_.pop_back();
    }
    for (auto& [iteration, later] : loop.later)
      for (auto& [at, blocks] : later) free_all(blocks);
  }

  void make(const Step& step, Frame& frame, Running* loop) {
    const std::size_t index = pass_.allocations.size();
    const auto share = static_cast<Bytes>(fewer_ ? 1 + dice_.below(1000) : 1000);
    pass_.allocations.push_back({.size = std::max<Bytes>(1, step.largest * share / 1000),
                                 .alignment = 16,
                                 .freed = true,
                                 .life = {pass_.events, pass_.events + 1},
                                 .site = {.module = 0, .offset = step.site}});
    ++pass_.events;
    paths_.push_back(path_);
    switch (step.death) {
      case Death::kHere:
        return frame[step.place].push_back(index);
      case Death::kNext:
        if (loop->iteration + 1 == loop->count) return free_behind(step, *loop, index);
        return loop->later[loop->iteration + 1][step.place].push_back(index);
      case Death::kBehind:
        return free_behind(step, *loop, index);
      case Death::kNextAround:
        if (loop->around == nullptr) return at_end_.push_back(index);
        return loop->around->later[loop->around->iteration + 1][step.place].push_back(index);
      case Death::kWithPass:
        return at_end_.push_back(index);
    }
  }

  static void free_behind(const Step& step, const Running& loop, std::size_t index) {
    (*loop.outside)[loop.place + 1 + step.place].push_back(index);
  }
  void free_at(Frame& frame, std::size_t place) {
    for (auto at = frame.begin(); at != frame.end() && at->first <= place; at = frame.erase(at))
      free_all(at->second);
  }
  void free_all(std::vector<std::size_t>& blocks) {
    for (const std::size_t index : blocks) release(index);
    blocks.clear();
  }
  void release(std::size_t index) { pass_.allocations[index].life.end = pass_.events++; }

  const std::vector<Step>& program_;
  Dice& dice_;
  Pass pass_;
  std::vector<std::size_t> path_;
  std::vector<std::vector<std::size_t>> paths_;
  std::vector<std::size_t> at_end_;
  std::size_t iterations_ = 0;
  bool fewer_ = false;
  std::uint64_t number_ = 0;
};

constexpr std::size_t kMostIterations = 7;
constexpr std::size_t kPasses = 14;
constexpr unsigned kPrograms = 60;

// The first pass has the largest blocks and dominates all others.
Trace draw_trace(Passes& passes) {
  Trace trace = trace_of_net({passes.run(kMostIterations, false)});
  while (trace.passes.size() < kPasses) trace.passes.push_back(passes.run(kMostIterations, true));
  return trace;
}

// Returns the slot of an allocation in these iterations of the loops around it, given the first slot of its site.
std::uint32_t slot_in(const PlanVariantDescription& variant, std::uint32_t first,
                      const std::vector<std::size_t>& iterations) {
  std::uint32_t slot = first;
  std::size_t level = 0;
  for (const PlanLoopDescription& loop : variant.loops) {
    if (first < loop.first_slot || first >= loop.end_slot) continue;
    const std::uint32_t period = (loop.end_slot - loop.first_slot) / loop.slots;
    slot += static_cast<std::uint32_t>(iterations.at(level++) % period) * loop.slots;
  }
  EXPECT_EQ(level, iterations.size()) << "a loop that is none in the plan";
  return slot;
}

// Returns how many loops of the variant lie in others.
std::size_t inner_loops(const Variant& variant) {
  return static_cast<std::size_t>(
      std::count_if(variant.loops.begin(), variant.loops.end(), [&](const VariantLoop& loop) {
        return std::any_of(variant.loops.begin(), variant.loops.end(), [&](const VariantLoop& outer) {
          return &outer < &loop && loop.end() <= outer.end();
        });
      }));
}

// Adds to `inner` how many loops lie in others.
void expect_served(unsigned seed, std::size_t& inner) {
  Dice dice(seed);
  std::uint64_t site = 1;
  std::vector<Step> program = {{.site = site++, .largest = 400'000, .place = 100, .body = {}}};
  for (const Step& step : draw_body(dice, 0, site)) program.push_back(step);
  program.push_back({.body = draw_body(dice, 1, site)});
  program.push_back({.site = site++, .body = {}});
  Passes passes(program, dice);
  const Trace trace = draw_trace(passes);
  const Variants joined = join(trace);
  if (joined.variants.empty()) return;
  ASSERT_EQ(joined.variants.size(), 1U);
  ASSERT_EQ(joined.variants[0].runs, kPasses);
  inner += inner_loops(joined.variants[0]);
  const PlannedVariants planned = plan_variants(joined, *find_strategy("greedy-size"), {});
  ASSERT_EQ(check_plan(planned.plan).sentence, "");
  const LayoutChecker checker(planned.plan);
  const auto slot_of = [&](std::size_t i, const std::vector<std::uint32_t>& slots) {
    return slot_in(planned.plan.variants.front(), slots.front(), passes.paths()[i]);
  };
  Trace others = trace;
  others.passes.clear();
  for (const std::size_t iterations : {3U, 5U, 7U, 8U, 11U}) {
    others.passes.push_back(passes.run(iterations, true));
    ASSERT_EQ(checker.fault(others.passes.back(), slot_of), "") << "up to " << iterations << " iterations";
  }
  for (const Trace* one : {&trace, static_cast<const Trace*>(&others)}) {
    const DryRun run = dry_run(planned.plan, *one);
    std::uint64_t missed = run.missed();
    for (const char* foreseen : {"unplanned", "kept"})
      if (run.fallback.contains(foreseen)) missed -= run.fallback.at(foreseen);
    EXPECT_LE(missed, (run.served + run.missed()) / 50);
  }
}

TEST(NestedLayouts, ServePassesOfAnyNumbersOfIterations) {
  std::size_t inner = 0;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    expect_served(seed, inner);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(inner, kPrograms);
}

}  // namespace
}  // namespace memo::planner
