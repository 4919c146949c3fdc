// When operators are ignored: after a row of passes that went as planned, which is the longer the more often a pass departed
// without their lead. A program that departs now and then is led nearly all the time, whatever its rhythm.
#include "runtime/slab/as_planned.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace memo::runtime {
namespace {

// Runs a pass. Returns true if it ran without a lead.
bool run_pass(AsPlanned& as_planned, bool departs) {
  const bool without_lead = as_planned.needs_no_lead();
  departs ? as_planned.note_departure(without_lead) : as_planned.note_as_planned();
  return without_lead;
}

int led_passes_until_ignored(AsPlanned& as_planned) {
  int passes = 0;
  while (!run_pass(as_planned, false)) ++passes;
  return passes;
}

TEST(AsPlanned, TheFirstPassesAreLed) {
  AsPlanned as_planned{};
  EXPECT_EQ(led_passes_until_ignored(as_planned), 4);
}

TEST(AsPlanned, ADepartureWithoutLeadMakesTheRowLonger) {
  AsPlanned as_planned{};
  for (const int row : {4, 16, 64, 256, 1024}) {
    EXPECT_EQ(led_passes_until_ignored(as_planned), row);
    run_pass(as_planned, true);
  }
}

TEST(AsPlanned, ADepartureThatWasLedDoesNot) {
  AsPlanned as_planned{};
  for (int i = 0; i < 100; ++i) run_pass(as_planned, true);
  EXPECT_EQ(led_passes_until_ignored(as_planned), 4);
}

TEST(AsPlanned, AnotherPlanBeginsAnew) {
  AsPlanned as_planned{};
  led_passes_until_ignored(as_planned);
  run_pass(as_planned, true);
  as_planned.begin_anew();
  EXPECT_EQ(led_passes_until_ignored(as_planned), 4);
}

// However long a program runs, the row that it has to show ends at 2^30 passes and never wraps around.
TEST(AsPlanned, TheRowDoesNotWrapAround) {
  AsPlanned as_planned{};
  for (int i = 0; i < 100; ++i) as_planned.note_departure(true);
  for (int i = 0; i < 100'000; ++i) EXPECT_FALSE(run_pass(as_planned, false));
}

// Departures that come after at most `longest` passes hurt only until the row is longer than that.
RC_GTEST_PROP(AsPlanned, FewPassesDepartWithoutALead, ()) {
  AsPlanned as_planned{};
  const int longest = *rc::gen::inRange(1, 2000);
  const auto rows = *rc::gen::container<std::vector<int>>(200, rc::gen::inRange(0, longest));
  int hurt = 0;
  for (const int row : rows) {
    for (int pass = 0; pass < row; ++pass) run_pass(as_planned, false);
    hurt += run_pass(as_planned, true) ? 1 : 0;
  }
  RC_ASSERT(hurt <= 6);  // 4 * 4^6 is more than any row here
}

}  // namespace
}  // namespace memo::runtime
