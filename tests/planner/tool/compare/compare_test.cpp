// The arithmetic of a comparison and what it reads of a program's output: a mistake here is a wrong figure that looks
// like a right one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/chart.h"
#include "planner/tool/compare/comparison.h"
#include "planner/tool/compare/front.h"
#include "planner/tool/compare/heap_locks.h"
#include "planner/tool/compare/jemalloc_statistics.h"
#include "planner/tool/compare/named_library.h"
#include "planner/tool/compare/printed_figures.h"
#include "planner/tool/compare/statistics.h"

namespace memo::compare {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(Spread, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(spread_of({3, 1, 2}).median, 2);
  EXPECT_EQ(spread_of({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(spread_of({4, 1, 2}).least, 1);
  EXPECT_EQ(spread_of({4, 1, 2}).greatest, 4);
}

// Worked by hand: logarithms of 2 and 8 have the mean of log 4, the deviation log 2 * sqrt 2, and t(1) = 12.706.
TEST(Ratios, GeometricMeanAndStudentsInterval) {
  const Ratio ratio = ratio_of({2, 8}, {1, 1});
  EXPECT_THAT(ratio.value, DoubleNear(4, 1e-12));
  const double margin = 12.706 * std::log(2);
  EXPECT_THAT(ratio.low, DoubleNear(4 / std::exp(margin), 1e-9));
  EXPECT_THAT(ratio.high, DoubleNear(4 * std::exp(margin), 1e-3));
}

// A round in which the whole machine was slow says nothing about the ratio.
TEST(Ratios, PairsOfOneRoundCancelItsNoise) {
  const Ratio ratio = ratio_of({1, 10, 100}, {2, 20, 200});
  EXPECT_THAT(ratio.value, DoubleNear(0.5, 1e-12));
  EXPECT_THAT(ratio.high - ratio.low, DoubleNear(0, 1e-9));
}

TEST(Ratios, OneRunHasNoInterval) {
  EXPECT_FALSE(ratio_of({1}, {2}).bounded);
}

TEST(MemoryOverTime, ThinningKeepsTheOrderAndEveryPeak) {
  std::vector<MemoryPoint> points;
  for (int i = 0; i < 1000; ++i) points.push_back({i * 0.005, i == 777 ? 500.0 : 100.0});
  const std::vector<MemoryPoint> kept = thinned(points, 240);
  ASSERT_EQ(kept.size(), 240U);
  EXPECT_TRUE(std::ranges::is_sorted(kept, {}, &MemoryPoint::seconds));
  EXPECT_EQ(std::ranges::max(kept, {}, &MemoryPoint::bytes).seconds, 777 * 0.005);
  EXPECT_EQ(thinned({{1, 2}}, 240).size(), 1U);
}

TEST(PrintedFigures, TheLastObjectCounts) {
  const PrintedFigures found =
      printed_figures("loading {model}\n{\"a\": 1}\n{\"a\": 2, \"ms\": {\"p50\": 7.5}}\n");
  EXPECT_THAT(found.figures, ElementsAre(Pair("a", 2), Pair("ms.p50", 7.5)));
}

TEST(PrintedFigures, AnObjectOverManyLines) {
  EXPECT_THAT(printed_figures("words\n{\n  \"a\": {\n    \"b\": 1\n  }\n}\n").figures,
              ElementsAre(Pair("a.b", 1)));
}

TEST(PrintedFigures, ChecksumsAndWordsAreAnswers) {
  const PrintedFigures found = printed_figures("{\"checksum\": 12, \"label\": \"cat\", \"x\": 1}");
  EXPECT_THAT(found.answers, ElementsAre(Pair("checksum", "12"), Pair("label", "\"cat\"")));
  EXPECT_THAT(found.figures, ElementsAre(Pair("x", 1)));
}

TEST(PrintedFigures, OutputWithoutAny) {
  for (const char* output : {"", "words\n", "{broken\n", "[1, 2]\n", "\n\n"})
    EXPECT_TRUE(printed_figures(output).figures.empty()) << output;
}

// What jemalloc prints, as far as it is read. `lock` is what each of its three locks says.
std::string printed_statistics(std::string_view thread_caches, std::string_view lock) {
  return fmt::format(
      R"(words
{{"jemalloc":{{"opt":{{"tcache":{0}}},"arenas":{{"narenas":9}},"stats":{{"mutexes":{{"ctl":{1}}}}},
"stats.arenas":{{"merged":{{"tcache_bytes":64,"mutexes":{{"base":{1}}},
"bins":[{{"nrequests":90,"nfills":9,"mutex":{1}}}]}}}}}}}}
more words)",
      thread_caches, lock);
}

constexpr std::string_view kLock = R"({"num_ops":2,"total_wait_time":1000000000,"max_wait_time":500000000})";

TEST(Jemalloc, SumsLocksAndCaches) {
  const auto found = jemalloc_statistics(printed_statistics("true", kLock));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->all_locks().operations, 6);
  EXPECT_EQ(found->all_locks().wait_seconds, 3);
  EXPECT_EQ(found->all_locks().longest_wait_seconds, 0.5);
  EXPECT_EQ(found->locks.at("bins").operations, 2);
  EXPECT_EQ(found->arenas, 9);
  EXPECT_EQ(found->cached_bytes, 64);
  EXPECT_EQ(found->cache_hits(), 0.9);
}

// Without a cache, nothing can be said about its hits.
TEST(Jemalloc, NoCacheHasNoHits) {
  EXPECT_FALSE(jemalloc_statistics(printed_statistics("false", kLock))->cache_hits());
}

// A program whose lines take two operations at each of three locks, after a start of a hundred.
MeasuredRun run_of(const Turns& turns) {
  const std::size_t lines = turns.warm_up + turns.count * turns.lines_of_a_turn();
  MeasuredRun run;
  run.errors = printed_statistics(
      "true", fmt::format(R"({{"num_ops":{},"total_wait_time":0,"max_wait_time":0}})", 100 + 2 * lines));
  return run;
}

TEST(HeapLocks, OfALineAreTheDifferenceOfTwoRuns) {
  const Turns turns{.asks = 3, .count = 5, .warm_up = 7};
  const auto found =
      measure_heap_locks({}, turns, [](const auto&, const Turns& some) { return run_of(some); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->operations_a_line->at("ctl"), 2);
  EXPECT_EQ(found->all_operations_a_line(), 6);
}

TEST(HeapLocks, OfOneRunSayNothingOfALine) {
  process::Command ran;
  const auto found = measure_heap_locks({.words = {}, .set = {{"MALLOC_CONF", "narenas:1"}}}, {},
                                        [&ran](const process::Command& command, const Turns& turns) {
                                          ran = command;
                                          return run_of(turns);
                                        });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->operations_a_line);
  EXPECT_EQ(ran.set.front().second, fmt::format("narenas:1,{}", kPrintStatistics));
}

TEST(Jemalloc, HalfAnObjectIsNone) {
  EXPECT_FALSE(jemalloc_statistics(R"({"jemalloc":{"stats":{)"));
  EXPECT_FALSE(jemalloc_statistics(R"({"jemalloc":{}})"));
  EXPECT_FALSE(jemalloc_statistics("no statistics"));
}

TEST(Allocators, UnknownNamesAreNamedWithTheKnown) {
  try {
    static_cast<void>(allocators_named({"glibc", "hoard"}));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"hoard\"; there are glibc"));
  }
}

// What the user has set for one allocator must not tune it in a comparison that calls it untuned.
TEST(Allocators, SettingsOfTheSurroundingsAreTakenOut) {
  const process::Command command = under(allocators_named({"jemalloc"}).front(), {"true"});
  for (const char* name : {"MALLOC_CONF", "GLIBC_TUNABLES", "MEMOMALLOC_MODE"})
    EXPECT_THAT(command.unset, testing::Contains(name));
  EXPECT_THAT(command.set, ElementsAre(Pair("LD_PRELOAD", HasSubstr("libjemalloc"))));
}

// Whatever the user names first, the table begins with what a program has that nobody has changed.
TEST(Allocators, GlibcIsTheFirstRow) {
  EXPECT_EQ(all_allocators().front().name, "glibc");
  const std::vector<Allocator> chosen = allocators_named({"serve", "amd", "glibc"});
  EXPECT_EQ(chosen.front().name, "glibc");
  EXPECT_EQ(chosen.back().name, "serve");
}

TEST(Allocators, SettingsMeantForOnePeerDoNotReachAnother) {
  ASSERT_EQ(setenv("MIMALLOC_SHOW_STATS", "1", 1), 0);
  ASSERT_EQ(setenv("MALLOC_ARENA_MAX", "1", 1), 0);
  const process::Command command = under(allocators_named({"glibc"}).front(), {"true"});
  EXPECT_THAT(command.unset, testing::Contains("MIMALLOC_SHOW_STATS"));
  EXPECT_THAT(command.unset, testing::Contains("MALLOC_ARENA_MAX"));
  unsetenv("MIMALLOC_SHOW_STATS");
  unsetenv("MALLOC_ARENA_MAX");
}

// A value of MALLOC_CONF has commas itself, and must arrive whole.
TEST(NamedLibraries, CommasInsideAValueDoNotEndIt) {
  const Allocator read = named_library(
      "mine=/bin/true,MALLOC_CONF=oversize_threshold:1,dirty_decay_ms:-1,MIMALLOC_PURGE_DELAY=-1,EMPTY=");
  EXPECT_EQ(read.name, "mine");
  EXPECT_EQ(read.library, "/bin/true");
  EXPECT_THAT(read.settings, ElementsAre(Pair("MALLOC_CONF", "oversize_threshold:1,dirty_decay_ms:-1"),
                                         Pair("MIMALLOC_PURGE_DELAY", "-1"), Pair("EMPTY", "")));
  EXPECT_EQ(settings_text(read),
            "MALLOC_CONF=oversize_threshold:1,dirty_decay_ms:-1 MIMALLOC_PURGE_DELAY=-1 EMPTY=");
}

TEST(NamedLibraries, WithoutAPathItIsTheCLibrarysMalloc) {
  const Allocator read = named_library("huge=,GLIBC_TUNABLES=glibc.malloc.hugetlb=1");
  EXPECT_EQ(read.library, "");
  EXPECT_THAT(read.settings, ElementsAre(Pair("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")));
}

std::string complaint_about(const char* text) {
  try {
    static_cast<void>(named_library(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(NamedLibraries, EachMistakeIsNamedWithItsCure) {
  EXPECT_THAT(complaint_about("/lib/liba.so"), HasSubstr("has no name; give NAME=PATH"));
  EXPECT_THAT(complaint_about("=/lib/liba.so"), HasSubstr("has no name"));
  EXPECT_THAT(complaint_about("a=/nowhere/liba.so"), HasSubstr("does not find /nowhere/liba.so"));
  EXPECT_THAT(complaint_about("a=/no where/liba.so"), HasSubstr("space or a colon"));
}

// What Debian has in a package is not searched for long.
TEST(NamedLibraries, AMissingPeerIsSaidWithItsPackage) {
  EXPECT_THAT(complaint_about("a=/nowhere/libmimalloc.so.3"), HasSubstr("package libmimalloc3"));
  EXPECT_THAT(complaint_about("a=/nowhere/libjemalloc.so.2"), HasSubstr("package libjemalloc2"));
}

Subject subject(const char* name, double per_second) {
  Subject made{allocators_named({name}).front(), {}, {}};
  made.runs.resize(2);
  for (MeasuredRun& run : made.runs)
    run.figures = {{"requests_per_second", per_second}, {"resident_steady", 1e6}, {"seconds", 1}};
  return made;
}

TEST(Comparisons, MorePerSecondIsFaster) {
  const Comparison comparison{{subject("glibc", 50), subject("serve", 100)}, true};
  EXPECT_EQ(speed_figure(comparison), "requests_per_second");
  EXPECT_THAT(speed_ratio(comparison.subjects[1], comparison.subjects[0], "requests_per_second")->value,
              DoubleNear(2, 1e-12));
}

// Half of the turns fell into a slow minute, for the one a turn more than for the other.
TEST(Comparisons, TurnsAreComparedWithThoseBesideThem) {
  Subject fast = subject("serve", 1);
  Subject slow = subject("glibc", 1);
  for (MeasuredRun& run : fast.runs) run.turns = {10, 30, 10, 30, 30};
  for (MeasuredRun& run : slow.runs) run.turns = {11, 33, 11, 11, 33};
  EXPECT_THAT(speed_ratio(fast, slow, "ask_ms.p50")->value, DoubleNear(1.1, 1e-12));
}

TEST(Comparisons, AFigureThatIsMissingInARunIsNotCompared) {
  Subject half = subject("glibc", 50);
  half.runs[1].figures.erase("requests_per_second");
  EXPECT_FALSE(speed_ratio(half, subject("serve", 100), "requests_per_second"));
}

bool is_on_front(const std::vector<Standing>& standings, const char* name) {
  return std::ranges::find(standings, name, &Standing::name)->on_front;
}

// Nobody passes the fastest and the leanest. Equals do not pass each other.
TEST(Front, HasWhatNoOtherPasses) {
  std::vector<Standing> standings = {{"fastest", 10, 50},     {"leanest", 1, 5},           {"between", 5, 20},
                                     {"slow and fat", 4, 21}, {"as fast, fatter", 10, 51}, {"twin", 5, 20}};
  mark_front(standings);
  for (const char* name : {"fastest", "leanest", "between", "twin"})
    EXPECT_TRUE(is_on_front(standings, name)) << name;
  for (const char* name : {"slow and fat", "as fast, fatter"})
    EXPECT_FALSE(is_on_front(standings, name)) << name;
}

Subject holding(const char* name, double seconds, double bytes) {
  Subject made{allocators_named({name}).front(), std::vector<MeasuredRun>(2), {}};
  for (MeasuredRun& run : made.runs) {
    run.figures = {{"seconds", seconds}, {"resident_high", bytes}, {"resident_peak", 2 * bytes}};
    run.memory = {{0, 0}, {seconds, bytes}};
  }
  return made;
}

TEST(Front, FewerSecondsAreFaster) {
  const Comparison comparison{{holding("glibc", 2, 1e6), holding("serve", 1, 1e6)}, true};
  const std::vector<Standing> standings = standings_of(comparison);
  EXPECT_FALSE(is_on_front(standings, "glibc"));
  EXPECT_TRUE(is_on_front(standings, "serve"));
}

// Programs that are asked in turn have no memory of the steady state.
TEST(Front, GoesByThePeakWhereNothingElseIsKnown) {
  Comparison comparison{{holding("glibc", 2, 1e6), holding("serve", 1, 1e6)}, true};
  EXPECT_EQ(most_memory_figure(comparison), "resident_high");
  for (Subject& subject : comparison.subjects)
    for (MeasuredRun& run : subject.runs) run.figures.erase("resident_high");
  EXPECT_EQ(most_memory_figure(comparison), "resident_peak");
  EXPECT_EQ(standings_of(comparison)[0].bytes, 2e6);
}

TEST(Chart, HasAPointForEachStandingAndALineForEachMemory) {
  const Comparison comparison{{holding("glibc", 2, 1e6), holding("serve", 1, 2e6)}, true};
  const std::string svg = chart_svg(comparison, "server");
  EXPECT_THAT(svg, HasSubstr("class='front'"));
  for (const char* shape : {"<circle", "<polyline"}) {
    const std::size_t first = svg.find(shape);
    ASSERT_NE(first, std::string::npos) << shape;
    EXPECT_NE(svg.find(shape, first + 1), std::string::npos) << shape;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Chart, HasABarForEveryFigureThereIs) {
  const Comparison comparison{{subject("glibc", 50), subject("serve", 100)}, true};
  const std::string svg = chart_svg(comparison, "server --name <a&b>");
  EXPECT_THAT(svg, HasSubstr("server --name &lt;a&amp;b&gt;"));
  std::size_t bars = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) ++bars;
  EXPECT_EQ(bars, 4U);  // two allocators; speed and steady memory, no peak
}

}  // namespace
}  // namespace memo::compare
