// Passes that keep to a plan with loops ignore their operators, where a call site tells at which slot an iteration begins: operators cost
// more than small blocks save. What makes a pass hear them again, and what does not. A failure means that programs which write
// token by token pay for their operators in every pass, or that passes which lost their way are not led back.
#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/arena_fixture.h"

namespace memo::runtime {
namespace {

using namespace testing;

constexpr int kPassesUntilIgnored = 4;
constexpr std::uint64_t kBefore = 1, kFirst = 2, kSecond = 3, kBehind = 4, kUnknown = 99;
constexpr std::uint64_t kOutput = 5;
constexpr std::uint32_t kOutputs = 40;  // cells of the list

// One slot before, two iterations of three slots, the second of which has a list, and one slot behind, with these properties.
struct Plan {
  std::uint64_t behind = kBehind;  // its call site
  std::uint64_t behind_size = 100;
  std::uint32_t behind_spread = 0;
};

void serve_loop(const Plan& wanted = {}) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64, 64, 64, 64, 128};
  plan.cells.insert(plan.cells.end(), 2 * kOutputs, 64);
  PlanVariantDescription variant;
  variant.slots.push_back(cell_slot(kBefore, 40, 0));
  for (std::uint32_t iteration = 0; iteration < 2; ++iteration) {
    variant.slots.push_back(cell_slot(kFirst, 40, 1 + 2 * iteration));
    variant.slots.push_back({.site = {0, kOutput},
                             .size = 40,
                             .zone = PlanZone::kList,
                             .place = 6 + iteration * kOutputs,
                             .cells = kOutputs});
    variant.slots.push_back(cell_slot(kSecond, 40, 2 + 2 * iteration));
  }
  variant.slots.push_back(cell_slot(wanted.behind, wanted.behind_size, 5));
  variant.slots.back().spread = wanted.behind_spread;
  variant.loops = {{.first_slot = 1, .end_slot = 7, .slots = 3}};
  plan.variants = {variant};
  serve(plan);
}

// A pass that goes round as often as asked, and may do something else besides.
struct Deeds {
  int iterations = 6;
  std::uint64_t odd_site = 0;  // in the middle of the loop; 0: none
  std::size_t behind_size = 100;
  bool departs_before = false;  // before the loop
};

struct Seen {
  int made = 0;
  int missed = 0;
  bool ignored_before = false;  // operators, at the pass's begin and at its end
  bool ignored_at_end = false;
};

class Running {
 public:
  explicit Running(const Deeds& deeds) {
    const Pass running;
    seen_.ignored_before = t_self.ignores_operators;
    make(kBefore);
    if (deeds.departs_before) make(kBefore);
    for (int i = 0; i < deeds.iterations; ++i) {
      make(kFirst);
      make(kOutput);
      if (i == deeds.iterations / 2 && deeds.odd_site != 0) make(deeds.odd_site);
      make(kSecond);
    }
    make(kBehind, deeds.behind_size);
    seen_.ignored_at_end = t_self.ignores_operators;
    for (void* block : kept_) EXPECT_TRUE(release(block));
  }
  [[nodiscard]] const Seen& seen() const { return seen_; }

 private:
  void make(std::uint64_t site, std::size_t size = 40) {
    void* block = allocate(size, site);
    ++seen_.made;
    seen_.missed += block == nullptr ? 1 : 0;
    if (block == nullptr) return;
    if (site == kOutput) return kept_.push_back(block);
    EXPECT_TRUE(release(block));
  }

  Seen seen_;
  std::vector<void*> kept_;
};

Seen run(const Deeds& deeds = {}) {
  return Running(deeds).seen();
}

void run_until_ignored() {
  for (int pass = 0; pass < kPassesUntilIgnored; ++pass) EXPECT_FALSE(run().ignored_before) << pass;
  EXPECT_TRUE(run().ignored_at_end);
}

TEST(UnledLoops, IgnoreTheirOperatorsAfterPassesAsPlanned) {
  serve_loop();
  run_until_ignored();
  for (const int iterations : {0, 1, 2, 3, 9, 30}) {
    const Seen seen = run({.iterations = iterations});
    EXPECT_EQ(seen.missed, 0) << iterations;
    EXPECT_TRUE(seen.ignored_before && (seen.ignored_at_end || iterations == 0)) << iterations;
  }
}

// The first slot behind the loop has the call site of the first in it: only an operator tells them apart.
TEST(UnledLoops, AreLedWhereTheirCallSitesDoNotTellTheIteration) {
  serve_loop({.behind = kFirst});
  const Pass running;
  EXPECT_FALSE(t_self.lane->variant.load()->sites_tell_iterations);
}

// Behind the inner loop comes the outer one's next iteration, which begins at the call site of the inner one's.
TEST(UnledLoops, AreLedWhereLoopsInLoopsBeginAtOneCallSite) {
  PlanDescription plan = empty_plan();
  plan.cells.assign(4, 64);
  PlanVariantDescription variant;
  for (std::uint64_t slot = 0; slot < 4; ++slot)
    variant.slots.push_back(cell_slot(slot % 2 == 0 ? kFirst : kSecond, 40, slot));
  variant.loops = {{.first_slot = 0, .end_slot = 4, .slots = 4},
                   {.first_slot = 2, .end_slot = 4, .slots = 2}};
  plan.variants = {variant};
  serve(plan);
  const Pass running;
  EXPECT_FALSE(t_self.lane->variant.load()->sites_tell_iterations);
}

// What comes before a loop may be another way in each pass: as many iterations as planned let the pass go.
TEST(UnledLoops, LetAPassGoThatDepartedBeforeThem) {
  serve_loop();
  for (int pass = 0; pass < 3 * kPassesUntilIgnored; ++pass) {
    const Seen seen = run({.iterations = 2 * (kPassesUntilIgnored + 1), .departs_before = true});
    EXPECT_FALSE(seen.ignored_before) << pass;
    EXPECT_TRUE(seen.ignored_at_end) << pass;
    EXPECT_EQ(seen.missed, 0) << pass;
  }
}

// A pass that departs after it was let go is not let go as soon again.
TEST(UnledLoops, LetAPassGoLaterWhereItDepartedInThem) {
  serve_loop();
  const Deeds departs{.iterations = 4 * kPassesUntilIgnored, .odd_site = kBefore, .departs_before = true};
  EXPECT_FALSE(run(departs).ignored_at_end);
  EXPECT_FALSE(run({.iterations = 2 * kPassesUntilIgnored + 2, .departs_before = true}).ignored_at_end);
  EXPECT_TRUE(run({.iterations = 2 * 4 * kPassesUntilIgnored + 2, .departs_before = true}).ignored_at_end);
}

// A library prepares a shape in its first pass and keeps what it made: later passes leave that out.
TEST(UnledPasses, MayLeaveOutWhatTheHeapServes) {
  PlanDescription plan = empty_plan();
  plan.cells = {64, 64, 64};
  plan.variants = {{.slots = {cell_slot(kBefore, 40, 0), heap_slot(kUnknown, 4000), heap_slot(kUnknown, 4000),
                              cell_slot(kFirst, 40, 1), cell_slot(kSecond, 40, 2)}}};
  serve(plan);
  for (int pass = 0; pass < 2 * kPassesUntilIgnored; ++pass) {
    const Pass running;
    EXPECT_EQ(t_self.ignores_operators, pass >= kPassesUntilIgnored) << pass;
    for (const std::uint64_t site : {kBefore, kFirst, kSecond}) EXPECT_TRUE(release(allocate(40, site)));
  }
}

TEST(UnledLoops, AreLedAgainAfterADeparture) {
  serve_loop();
  run_until_ignored();
  const Seen departed = run({.odd_site = kBefore});
  EXPECT_TRUE(departed.ignored_before);
  EXPECT_FALSE(departed.ignored_at_end);
  EXPECT_FALSE(run().ignored_before);
}

// Lists go on where they were when a pass hears its operators again: their first cells are taken by now.
TEST(UnledLoops, GoOnWithTheirListsAfterADeparture) {
  serve_loop();
  run_until_ignored();
  EXPECT_EQ(run({.iterations = 30, .odd_site = kBefore}).missed, 0);
}

// A call site that the plan does not know says nothing about the pass's place.
TEST(UnledLoops, StayUnledWhereTheProgramAllocatesAtUnknownSites) {
  serve_loop();
  for (int pass = 0; pass < kPassesUntilIgnored; ++pass) EXPECT_EQ(run({.odd_site = kUnknown}).missed, 1);
  const Seen seen = run({.odd_site = kUnknown});
  EXPECT_TRUE(seen.ignored_before && seen.ignored_at_end);
}

TEST(UnledLoops, StayUnledWhereABlockOfManySizesIsLargerThanAnySeen) {
  serve_loop({.behind_spread = 60});
  run_until_ignored();
  const Seen seen = run({.behind_size = 1000});
  EXPECT_EQ(seen.missed, 1);
  EXPECT_TRUE(seen.ignored_at_end);
}

TEST(UnledLoops, StayUnledWhereAPlaceIsTaken) {
  serve_loop();
  run_until_ignored();
  void* kept = nullptr;
  {
    const Pass running;
    kept = allocate(40, kBefore);
  }
  EXPECT_TRUE(run().ignored_at_end);
  EXPECT_TRUE(release(kept));
}

TEST(UnledLoops, AreLedWhereABlockOfOneSizeIsLarger) {
  serve_loop();
  run_until_ignored();
  EXPECT_FALSE(run({.behind_size = 1000}).ignored_at_end);
}

}  // namespace
}  // namespace memo::runtime
