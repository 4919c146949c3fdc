// The advised order is one that the data flow allows, and has the peak that is claimed for it. Random passes with few operators
// are compared with all their orders.
#include "planner/steps/operator_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

constexpr Bytes kLarge = 4 << 20;
constexpr Bytes kSmall = 64 << 10;

bool is_allowed(const Pass& pass, const std::vector<OperationIndex>& order) {
  const RunOrder needed(pass);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (needed.must_precede(order[i], order[j])) return false;
  return true;
}

// Both large blocks are alive at once as recorded; one after the other needs little more than one of them.
TEST(OperatorOrder, RunsOneBranchAfterTheOther) {
  const Trace trace = parse_trace(memo::testing::flow_trace().bytes(), "flow.trace");
  const OrderAdvice advice = advise_order(trace.passes[0]);
  EXPECT_EQ(advice.recorded, 2 * kLarge + kSmall);
  EXPECT_EQ(advice.advised, kLarge + 2 * kSmall);
  EXPECT_TRUE(is_allowed(trace.passes[0], advice.order));
  EXPECT_EQ(advice.order.size(), 5U);
}

// Each operator makes one block, which the operators that read it are the only ones to need.
Pass pass_of(const std::vector<std::vector<OperationIndex>>& sources, const std::vector<Bytes>& sizes) {
  Pass pass;
  const std::size_t count = sources.size();
  std::vector<std::size_t> last(count);
  for (std::size_t i = 0; i < count; ++i) {
    last[i] = i;
    for (const OperationIndex from : sources[i]) last[from] = i;
  }
  std::vector<std::vector<std::size_t>> freed(count + 1);
  for (std::size_t i = 0; i < count; ++i) freed[last[i]].push_back(i);
  for (std::size_t i = 0; i < count; ++i) {
    const auto tagged = static_cast<std::uint64_t>(i + 1);
    pass.allocations.push_back({.tagged = tagged, .size = sizes[i], .life = {pass.events++, 0}});
    Operation operation{.ended = pass.events};
    for (const OperationIndex from : sources[i])
      operation.reads.push_back({.allocation = from, .tagged = from + 1, .size = sizes[from]});
    operation.writes.push_back(
        {.allocation = static_cast<std::uint32_t>(i), .tagged = tagged, .size = sizes[i]});
    pass.operations.push_back(operation);
    for (const std::size_t block : freed[i]) pass.allocations[block].life.end = pass.events++;
  }
  return pass;
}

// A chain: while the second runs, its own block and the first one's are alive, in whatever order.
TEST(OperatorOrder, SaysWhichOperatorAloneNeedsThePeak) {
  const OrderAdvice advice = advise_order(pass_of({{}, {0}, {1}}, {30, 40, 20}));
  EXPECT_EQ(advice.recorded, 70);
  EXPECT_EQ(advice.least, 70);
  EXPECT_EQ(advice.neediest, 1U);
}

// Plays an order: a block dies after its last reader, or with its maker.
Bytes peak_in(const std::vector<std::vector<OperationIndex>>& sources, const std::vector<Bytes>& sizes,
              const std::vector<OperationIndex>& order) {
  std::vector<std::size_t> readers(sizes.size());
  for (const auto& list : sources)
    for (const OperationIndex from : list) ++readers[from];
  Bytes alive = 0;
  Bytes peak = 0;
  for (const OperationIndex next : order) {
    peak = std::max(peak, alive += sizes[next]);
    for (const OperationIndex from : sources[next])
      if (--readers[from] == 0) alive -= sizes[from];
    if (readers[next] == 0) alive -= sizes[next];
  }
  return peak;
}

RC_GTEST_PROP(OperatorOrder, IsTheBestOfAllOrdersOfFewOperators, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 7);
  std::vector<std::vector<OperationIndex>> sources(count);
  std::vector<Bytes> sizes(count);
  for (std::size_t i = 0; i < count; ++i) {
    sizes[i] = *rc::gen::inRange<Bytes>(1, 1000);
    for (OperationIndex from = 0; from < i; ++from)
      if (*rc::gen::inRange(0, 3) == 0) sources[i].push_back(from);
  }
  const Pass pass = pass_of(sources, sizes);
  std::vector<OperationIndex> order(count);
  std::iota(order.begin(), order.end(), OperationIndex{0});
  const OrderAdvice advice = advise_order(pass);
  RC_ASSERT(advice.recorded == peak_in(sources, sizes, order));
  RC_ASSERT(advice.advised == peak_in(sources, sizes, advice.order));
  Bytes least = advice.recorded;
  do {
    if (is_allowed(pass, order)) least = std::min(least, peak_in(sources, sizes, order));
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(advice.advised == least);
  RC_ASSERT(advice.least <= least);
}

}  // namespace
}  // namespace memo::planner
