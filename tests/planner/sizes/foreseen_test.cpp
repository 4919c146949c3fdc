// What formulas are worth to an encoder whose texts become longer than any profiled one. The planner makes the plan of a
// trace, and the arena runs over another: it grows less often than the same plan without its formulas, and serves more.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "planner/check/dry_run.h"
#include "planner/layout/find_variants.h"
#include "planner/layout/plan_variants.h"
#include "planner/registry/registry.h"
#include "runtime/serving/statistics.h"
#include "tests/planner/sizes/encoders.h"

namespace memo::planner {
namespace {

using testing::Request;
using testing::trace_of_requests;

// Any batch of 1 to 8 with any length. The largest is not the first, as it is of random_requests(): a plan that meets it
// first grows once, whatever it foresees.
std::vector<Request> texts(std::size_t count, unsigned seed, Bytes longest) {
  std::mt19937 random(seed);
  std::vector<Request> requests;
  for (std::size_t text = 0; text < count; ++text) {
    const Bytes batch = 1 + static_cast<Bytes>(random() % 8);
    const Bytes length = 8 + static_cast<Bytes>(random() % static_cast<unsigned>(longest - 7));
    requests.push_back({.batch = batch, .length = length});
  }
  return requests;
}

PlanDescription plan_of(const Trace& trace) {
  return plan_variants(find_variants(DistinctPasses({&trace, 1})), *find_strategy("greedy-size"), {}).plan;
}

PlanDescription without_formulas(PlanDescription plan) {
  for (PlanVariantDescription& variant : plan.variants)
    for (PlanSlotDescription& slot : variant.slots) slot.formula = {};
  return plan;
}

struct Course {
  std::uint64_t growths = 0;
  std::uint64_t missed_bytes = 0;
};

void add_course(Course& sum, const PlanDescription& plan, const Trace& served) {
  const std::uint64_t grown = runtime::statistics().plans_grown;
  sum.missed_bytes += dry_run(plan, served).fallback_bytes;
  sum.growths += runtime::statistics().plans_grown - grown;
}

TEST(ForeseenTexts, NeedFewerGrowthsAndMissLess) {
  Course with;
  Course without;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const PlanDescription plan = plan_of(trace_of_requests(texts(60, seed, 128)));
    const Trace served = trace_of_requests(texts(200, 1000 + seed, 256));
    add_course(with, plan, served);
    add_course(without, without_formulas(plan), served);
  }
  std::printf("10 runs: %llu growths and %llu bytes missed with formulas, %llu and %llu without\n",
              static_cast<unsigned long long>(with.growths),
              static_cast<unsigned long long>(with.missed_bytes),
              static_cast<unsigned long long>(without.growths),
              static_cast<unsigned long long>(without.missed_bytes));
  EXPECT_LT(with.growths * 4, without.growths * 3);
  EXPECT_LT(with.missed_bytes, without.missed_bytes);
}

}  // namespace
}  // namespace memo::planner
