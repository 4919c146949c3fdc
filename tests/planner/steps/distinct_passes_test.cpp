// Traces of many replicas make one plan. These tests prove that passes which are alike are kept once and no others are, that
// what was kept makes the plan that all traces would make, and that it does not matter in which order or from how many threads
// the traces come. A failure means that hundreds of traces take too much memory, or that two builds of one image ship
// different plans.
#include "planner/steps/distinct_passes.h"
#include "planner/layout/find_variants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_json.h"
#include "planner/registry/registry.h"
#include "planner/steps/variants.h"
#include "tests/planner/sizes/encoders.h"

namespace memo::planner {
namespace {

using testing::random_requests;
using testing::Request;
using testing::trace_of_requests;

std::string plan_of(const DistinctPasses& passes) {
  return plan_to_json(plan_variants(find_variants(passes), *find_strategy("greedy-size"), {}).plan).dump();
}

void take_all(DistinctPasses& passes, const std::vector<Trace>& traces) {
  for (const Trace& trace : traces) passes.take(trace);
}

std::string plan_of(const std::vector<Trace>& traces) {
  DistinctPasses passes;
  take_all(passes, traces);
  return plan_of(passes);
}

std::size_t count_kept(const std::vector<Trace>& traces) {
  DistinctPasses passes;
  take_all(passes, traces);
  return find_variants(passes).distinct;
}

// What a worker allocates during the last pass of the trace, at a time that tells replicas apart.
void add_work(Trace& trace, Bytes size) {
  Pass& pass = trace.passes.back();
  pass.begin_ns = 1000;
  pass.end_ns = 2000;
  for (const std::uint64_t at : {1100U, 1300U})
    trace.outside.push_back({.size = size,
                             .freed = true,
                             .site = {.module = 0, .offset = 0x77},
                             .thread = 1,
                             .begin_ns = at + static_cast<std::uint64_t>(size),
                             .end_ns = at + 100 + static_cast<std::uint64_t>(size)});
}

// Replicas that see requests of their own, in modules that each lists in another order.
std::vector<Trace> replicas(unsigned count) {
  std::vector<Trace> traces;
  for (unsigned seed = 0; seed < count; ++seed) {
    Trace trace = trace_of_requests(random_requests(8, seed));
    trace.modules.push_back({.path = "/lib/" + std::to_string(seed % 3), .build_id = ""});
    if (seed % 2 == 1) {
      std::swap(trace.modules[0], trace.modules[1]);
      for (Pass& pass : trace.passes)
        for (Allocation& made : pass.allocations) made.site.module = 1;
    }
    add_work(trace, 64 + static_cast<Bytes>(seed % 4));
    if (seed % 2 == 1)
      for (Allocation& made : trace.outside) made.site.module = 1;
    traces.push_back(std::move(trace));
  }
  return traces;
}

TEST(DistinctPasses, WhatIsAlikeIsKeptOnceAndCounted) {
  const std::vector<Trace> traces(50, trace_of_requests({{1, 8}, {2, 16}, {1, 8}, {2, 16}}));
  DistinctPasses passes;
  take_all(passes, traces);
  const Variants found = find_variants(passes);
  EXPECT_EQ(found.passes, 200U);
  EXPECT_EQ(found.distinct, 2U);
  ASSERT_EQ(found.variants.size(), 2U);
  for (const Variant& variant : found.variants) EXPECT_EQ(variant.runs, 100U);
}

// The memory that traces take is that of their allocations.
TEST(DistinctPasses, ContentIsDroppedButForTheKeptPasses) {
  const std::vector<Trace> traces(50, trace_of_requests({{1, 8}, {2, 16}, {1, 8}}));
  DistinctPasses passes;
  take_all(passes, traces);
  std::size_t allocations = 0;
  for (const Recording* recording : passes.recordings())
    for (const Pass& pass : recording->trace->passes) allocations += pass.allocations.size();
  EXPECT_EQ(allocations,
            traces.front().passes[0].allocations.size() + traces.front().passes[1].allocations.size());
}

TEST(DistinctPasses, PassesCutOffAreCountedWithoutTheirContent) {
  Trace trace = trace_of_requests({{1, 8}, {1, 8}, {1, 8}});
  trace.passes.back().complete = false;
  DistinctPasses passes;
  passes.take(trace);
  const Variants found = find_variants(passes);
  EXPECT_EQ(found.passes, 2U);
  EXPECT_EQ(found.incomplete, 1U);
  EXPECT_EQ(found.distinct, 1U);
}

struct Change {
  const char* name;
  std::function<void(Trace&)> make;
};

class AnyChange : public ::testing::TestWithParam<Change> {};

TEST_P(AnyChange, MakesAnotherPass) {
  const Trace trace = trace_of_requests({{2, 16}});
  Trace other = trace;
  GetParam().make(other);
  EXPECT_EQ(count_kept({trace, trace}), 1U);
  EXPECT_EQ(count_kept({trace, other}), 2U);
}

Allocation& third(Trace& trace) {
  return trace.passes[0].allocations[2];
}

INSTANTIATE_TEST_SUITE_P(
    Of, AnyChange,
    ::testing::Values(Change{"size", [](Trace& trace) { ++third(trace).size; }},
                      Change{"alignment", [](Trace& trace) { third(trace).alignment = 64; }},
                      Change{"site", [](Trace& trace) { ++third(trace).site.offset; }},
                      Change{"build", [](Trace& trace) { trace.modules[0].build_id = "bb"; }},
                      Change{"end", [](Trace& trace) { third(trace).life.end = trace.passes[0].events; }},
                      Change{"escape", [](Trace& trace) { third(trace).freed = false; }},
                      Change{"operator", [](Trace& trace) { third(trace).scope = 0; }},
                      Change{"operator_name", [](Trace& trace) { trace.names[2] = "other"; }},
                      Change{"operator_end", [](Trace& trace) { trace.passes[0].scopes[0].life.end += 2; }},
                      Change{"operators_at_once",
                             [](Trace& trace) {
                               for (const std::size_t scope : {0U, 1U}) {
                                 trace.passes[0].scopes[scope].begin_ns = 1;
                                 trace.passes[0].scopes[scope].end_ns = 2;
                               }
                             }},
                      Change{"function", [](Trace& trace) { trace.names[1] = "backward"; }},
                      Change{"key", [](Trace& trace) { ++trace.passes[0].key; }},
                      Change{"one_allocation_less",
                             [](Trace& trace) { trace.passes[0].allocations.pop_back(); }}),
    [](const auto& change) { return change.param.name; });

// Where and when a process ran, and in which order it freed between two allocations, makes no difference to a plan.
TEST(DistinctPasses, AddressesTimesAndThreadsAreNoDifference) {
  const Trace trace = trace_of_requests({{2, 16}});
  Trace other = trace;
  other.pid = 7;
  other.modules.insert(other.modules.begin(), {.path = "/lib/other.so", .build_id = "bb"});
  Pass& pass = other.passes.front();
  pass.number = 9;
  pass.thread = 3;
  pass.begin_ns = 1'000'000;
  for (Allocation& made : pass.allocations) {
    made.site.module = 1;
    made.tagged = 0x1000;
    made.begin_ns += 5000;
  }
  EXPECT_EQ(count_kept({trace, other}), 1U);
}

// Plans hold all that serving needs, so that they stand for the variants.
TEST(DistinctPasses, TakenTracesMakeThePlanOfWholeOnes) {
  std::vector<Trace> traces = replicas(6);
  const std::vector<Trace> again = traces;
  traces.insert(traces.end(), again.begin(), again.end());
  DistinctPasses borrowed;
  for (const Trace& trace : traces) borrowed.add(trace);
  EXPECT_EQ(plan_of(traces), plan_of(borrowed));
}

TEST(DistinctPasses, TheOrderOfTheTracesDoesNotMatter) {
  std::vector<Trace> traces = replicas(7);
  const std::string expected = plan_of(traces);
  for (int round = 0; round < 7; ++round) {
    std::rotate(traces.begin(), traces.begin() + 1, traces.end());
    EXPECT_EQ(plan_of(traces), expected) << "rotated by " << round + 1;
  }
  std::reverse(traces.begin(), traces.end());
  EXPECT_EQ(plan_of(traces), expected);
}

TEST(DistinctPasses, ThreadsMayTakeTracesAtOnce) {
  const std::vector<Trace> traces = replicas(24);
  DistinctPasses passes;
  {
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < 4; ++first)
      threads.emplace_back([&, first] {
        for (std::size_t i = first; i < traces.size(); i += 4) passes.take(traces[i]);
      });
  }
  EXPECT_EQ(plan_of(passes), plan_of(traces));
}

}  // namespace
}  // namespace memo::planner
