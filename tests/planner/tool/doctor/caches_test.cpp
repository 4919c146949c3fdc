// Caches that look like leaks: which rows of bytes grow steadily, and what is said of traces in which an engine's blocks
// pile up, stay the same, or become fewer. A failure means that a user hunts for a leak that a variable ends, or the other
// way round.
#include "planner/tool/doctor/caches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "planner/tool/doctor/kept_bytes.h"

namespace memo::doctor {
namespace {

using planner::Bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Bytes> row(std::size_t passes, const std::function<Bytes(std::size_t)>& alive) {
  std::vector<Bytes> bytes;
  for (std::size_t i = 0; i < passes; ++i) bytes.push_back(alive(i));
  return bytes;
}

TEST(GrowthPerPass, IsWhatEachPassAdds) {
  EXPECT_EQ(growth_per_pass(row(100, [](std::size_t i) { return 5000 + 300 * static_cast<Bytes>(i); })),
            300.0);
}

TEST(GrowthPerPass, IsNoneWhereTheBytesStayOrFall) {
  EXPECT_EQ(growth_per_pass(row(100, [](std::size_t) { return 7000; })), 0);
  EXPECT_EQ(growth_per_pass(row(100, [](std::size_t i) { return 90000 - 300 * static_cast<Bytes>(i); })), 0);
}

TEST(GrowthPerPass, IsNoneOfAWarmUpThatIsOver) {
  EXPECT_EQ(growth_per_pass(row(
                100, [](std::size_t i) { return 300 * static_cast<Bytes>(std::min<std::size_t>(i, 60)); })),
            0);
}

TEST(GrowthPerPass, IsNoneOfWhatComesAndGoes) {
  EXPECT_EQ(growth_per_pass(row(400, [](std::size_t i) { return 1000 * static_cast<Bytes>(i % 10); })), 0);
}

TEST(GrowthPerPass, IsSeenBelowWhatComesAndGoes) {
  EXPECT_NEAR(
      growth_per_pass(row(800, [](std::size_t i) { return static_cast<Bytes>(9000 * (i % 10) + 100 * i); })),
      100, 2);
}

// A cache of shapes of which a few come for the first time now and then.
TEST(GrowthPerPass, MayPauseForAWhile) {
  const std::vector<Bytes> paused = row(
      160, [](std::size_t i) { return static_cast<Bytes>(i / 20 % 4 == 3 ? i / 20 * 20 - 1 : i) * 1000; });
  EXPECT_GT(growth_per_pass(paused), 0);
}

TEST(GrowthPerPass, NeedsEnoughPasses) {
  const auto grow = [](std::size_t i) { return 300 * static_cast<Bytes>(i); };
  EXPECT_EQ(growth_per_pass(row(40, grow)), 0);
  EXPECT_EQ(growth_per_pass(row(44, grow)), 300.0);
  EXPECT_EQ(growth_per_pass({}), 0);
}

constexpr std::uint64_t kLength = 1000;  // of a pass, in nanoseconds

// A trace of `passes` passes, each of which asks for a block of module 0 that lives for `lives` passes.
planner::Trace trace_of(const std::string& module, std::size_t passes,
                        const std::function<std::size_t(std::size_t)>& lives) {
  planner::Trace trace;
  trace.modules = {{module, "1f2e"}};
  for (std::size_t i = 0; i < passes; ++i) {
    planner::Pass pass{
        .number = i + 1, .complete = true, .begin_ns = i * kLength + 1, .end_ns = (i + 1) * kLength};
    planner::Allocation block{.size = 4096, .site = {0, 0x10}, .begin_ns = i * kLength + 10};
    block.end_ns = block.begin_ns + lives(i) * kLength;
    pass.allocations.push_back(block);
    trace.passes.push_back(pass);
  }
  return trace;
}

TEST(KeptBytes, AreTheBlocksThatAreAliveAtTheEndOfEachPass) {
  const auto kept =
      kept_bytes(trace_of("/lib/libdnnl.so.3", 4, [](std::size_t i) { return i == 0 ? 2 : 0; }));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_THAT(kept.front().blocks, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(kept.front().bytes, ElementsAre(4096, 4096, 0, 0));
}

TEST(Caches, ThatGrowAreNamedWithWhatBoundsThem) {
  const Findings found = examine_caches(trace_of("/lib/libdnnl.so.3", 100, [](std::size_t) { return 1000; }));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().level, Level::kAdvice);
  EXPECT_THAT(found.front().text,
              HasSubstr("blocks of libdnnl.so.3 that outlive their passes grow by 4.00 KiB a pass"));
  EXPECT_THAT(found.front().cure, HasSubstr("ONEDNN_PRIMITIVE_CACHE_CAPACITY"));
}

TEST(Caches, ThatAreFullOrShrinkAreNotNamed) {
  EXPECT_TRUE(examine_caches(trace_of("/lib/libdnnl.so.3", 100, [](std::size_t) { return 5; })).empty());
  EXPECT_TRUE(examine_caches(trace_of("/lib/libdnnl.so.3", 100, [](std::size_t i) {
                return i < 30 ? 40 : 0;
              })).empty());
}

TEST(Caches, AreNoSingleBufferThatBecomesLarger) {
  planner::Trace trace = trace_of("/lib/libdnnl.so.3", 100, [](std::size_t) { return 1; });
  for (planner::Pass& pass : trace.passes) pass.allocations.front().size *= static_cast<Bytes>(pass.number);
  EXPECT_TRUE(examine_caches(trace).empty());
}

TEST(Caches, AreThoseOfEngines) {
  EXPECT_TRUE(examine_caches(trace_of("/bin/server", 100, [](std::size_t) { return 1000; })).empty());
}

TEST(Caches, AreNotJudgedWhereEventsAreLost) {
  planner::Trace trace = trace_of("/lib/libdnnl.so.3", 100, [](std::size_t) { return 1000; });
  trace.lost = 1;
  EXPECT_TRUE(examine_caches(trace).empty());
}

}  // namespace
}  // namespace memo::doctor
