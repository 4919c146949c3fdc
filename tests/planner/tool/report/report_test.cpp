// What a report says is what its sources say: every figure here is worked out by hand from a pass of a few buffers.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "planner/check/check.h"
#include "planner/layout/find_variants.h"
#include "planner/layout/plan_variants.h"
#include "planner/registry/registry.h"
#include "planner/tool/report/answers.h"
#include "planner/tool/report/columns.h"
#include "planner/tool/report/differences.h"
#include "planner/tool/report/histogram.h"
#include "planner/tool/report/instance_pictures.h"
#include "planner/tool/report/live_bytes.h"
#include "planner/tool/report/measured.h"
#include "planner/tool/report/measured_verdict.h"
#include "planner/tool/report/operator_ranking.h"
#include "planner/tool/report/plan_pictures.h"
#include "planner/tool/report/report_json.h"
#include "planner/tool/report/report_page.h"
#include "planner/tool/report/served_run.h"
#include "planner/tool/report/served_verdict.h"
#include "planner/tool/report/shapes.h"
#include "planner/tool/report/statistics_rows.h"
#include "planner/tool/report/trace_pictures.h"
#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

using memo::testing::tagged;
using memo::testing::TraceBuilder;

Picture picture_of(const std::vector<Buffer>& buffers, const std::vector<std::string>& operators) {
  Picture picture;
  picture.problem.buffers = buffers;
  for (const std::string& name : operators) {
    picture.oper.push_back(picture.operators.add(name));
    picture.site.push_back(picture.sites.add("somewhere"));
  }
  return picture;
}

// At 2 conv's 100 and 50 are alive with relu's 30; without conv the most is 80, at 5.
Picture three_operators() {
  return picture_of({{.life = {0, 4}, .size = 100},
                     {.life = {1, 3}, .size = 50},
                     {.life = {2, 6}, .size = 30},
                     {.life = {5, 7}, .size = 50}},
                    {"conv", "conv", "relu", "softmax"});
}

TEST(Report, LiveBytesAreOneStepForEachMoment) {
  std::vector<std::pair<Time, Bytes>> steps;
  for (const LiveStep& step : live_bytes(three_operators().problem))
    steps.emplace_back(step.begin, step.live);
  const std::vector<std::pair<Time, Bytes>> expected = {{0, 100}, {1, 150}, {2, 180}, {3, 130},
                                                        {4, 30},  {5, 80},  {6, 50},  {7, 0}};
  EXPECT_EQ(steps, expected);
}

TEST(Report, OperatorsAreRankedByBytesAndSayWhatThePeakIsWithoutThem) {
  const std::vector<RankedOperator> ranking = rank_operators(three_operators());
  ASSERT_EQ(ranking.size(), 3U);
  EXPECT_EQ(ranking[0].oper, 0U);
  EXPECT_EQ(ranking[0].buffers, 2U);
  EXPECT_EQ(ranking[0].bytes, 150);
  EXPECT_EQ(ranking[0].at_peak, 150);
  EXPECT_EQ(ranking[0].peak_without, 80);
  EXPECT_EQ(ranking[1].oper, 2U);  // softmax asks for more than relu and is not there at the peak
  EXPECT_EQ(ranking[1].at_peak, 0);
  EXPECT_EQ(ranking[1].peak_without, 180);
  EXPECT_EQ(ranking[2].at_peak, 30);
  EXPECT_EQ(ranking[2].peak_without, 150);
}

TEST(Report, HistogramsHaveABarForEachPowerOfTwoBetweenTheLeastAndTheGreatest) {
  const Problem problem{.buffers = {{.life = {0, 1}, .size = 64},
                                    {.life = {0, 3}, .size = 127},
                                    {.life = {0, 9}, .size = 256}}};
  const std::vector<HistogramBar> sizes = size_histogram(problem);
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_EQ(sizes[0].from, 64);
  EXPECT_EQ(sizes[0].buffers, 2U);
  EXPECT_EQ(sizes[0].bytes, 191);
  EXPECT_EQ(sizes[1].buffers, 0U);
  EXPECT_EQ(sizes[2].from, 256);
  EXPECT_EQ(lifetime_histogram(problem).size(), 4U);  // 1, 2, 4, 8
  EXPECT_TRUE(size_histogram({}).empty());
}

TEST(Report, ColumnsArePackedAsTheHeaderDrawsThem) {
  EXPECT_EQ(packed_column(std::vector<std::int64_t>{64, 128, 120}), "gAGAAQ8=");  // 80 01 80 01 0f
  EXPECT_EQ(packed_column(std::vector<std::int64_t>{}), "");
  EXPECT_EQ(packed_column(std::vector<std::int64_t>{-1}), "AQ==");
}

// A pass twice alike: conv's block is freed in the pass, the other one outlives it.
Trace two_passes() {
  TraceBuilder build;
  build.module(0x1000, 0x2000, 0x800, "\xab\xcd", "/usr/lib/libnet.so");
  build.seal_modules();
  build.name(7, "conv");
  for (std::uint16_t pass = 1; pass <= 2; ++pass) {
    build.pass_begin(pass, 99, 7);
    build.scope_begin(7);
    build.allocate(tagged(pass, 0x50000), 8192);
    build.scope_end(7);
    build.allocate(tagged(pass, 0x90000), 4096);
    build.free(tagged(pass, 0x50000));
    build.free(tagged(pass, 0x90000));
    build.allocate(tagged(pass, 0xa0000), 512, 0x1020);
    build.pass_end(pass);
    build.free(tagged(pass, 0xa0000));
  }
  build.seal_events(1, 0);
  build.end(2);
  return parse_trace(build.bytes(), "two.trace");
}

std::vector<const Strategy*> strategies(std::initializer_list<const char*> names) {
  std::vector<const Strategy*> found;
  for (const char* name : names) found.push_back(find_strategy(name));
  return found;
}

TracePictures pictures_of(const Trace& trace) {
  const std::vector<Trace> traces = {trace};
  return trace_pictures(traces, find_variants(DistinctPasses(traces)), strategies({"greedy-size", "bump"}),
                        {});
}

TEST(Report, ATraceIsOnePictureWithALayoutForEachStrategyAndOneOfTheHeap) {
  const TracePictures made = pictures_of(two_passes());
  ASSERT_EQ(made.pictures.size(), 1U);
  const Picture& picture = made.pictures[0];
  EXPECT_EQ(picture.title, "variant 1: conv");
  EXPECT_EQ(picture.runs, 2U);
  ASSERT_EQ(picture.problem.buffers.size(), 2U);
  EXPECT_EQ(picture.operators.names()[picture.oper[0]], "conv");
  EXPECT_EQ(picture.operators.names()[picture.oper[1]], "outside operators");
  ASSERT_EQ(picture.layouts.size(), 3U);
  EXPECT_EQ(picture.layouts[0].name, "greedy-size");
  EXPECT_EQ(picture.layouts[1].name, "bump");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(check_by_pairs(picture.problem, picture.layouts[i].offsets).valid());
    EXPECT_GE(picture.layouts[i].height, picture.lower_bound);
  }
}

TEST(Report, TheHeapsLayoutIsTheRecordedAddressesWithoutWhatWasNotTouched) {
  const Picture picture = pictures_of(two_passes()).pictures.at(0);
  const Layout& heap = picture.layouts.back();
  EXPECT_EQ(heap.kind, LayoutKind::kHeap);
  EXPECT_EQ(heap.offsets, (Offsets{0, 8192}));
  EXPECT_EQ(heap.height, 3 * 4096);
  ASSERT_EQ(heap.touched.size(), 2U);
  EXPECT_EQ(heap.touched[0].live, 8192);
  EXPECT_EQ(heap.touched[1].live, 3 * 4096);
}

TEST(Report, WhatIsLeftToTheHeapHasItsReasonAndItsCaller) {
  const Picture picture = pictures_of(two_passes()).pictures.at(0);
  EXPECT_EQ(picture.unplanned, 1U);
  ASSERT_EQ(picture.left_to_heap.size(), 1U);
  EXPECT_EQ(picture.left_to_heap[0].reason, "outlives its pass");
  EXPECT_EQ(picture.left_to_heap[0].site, "libnet.so+0x820");
  EXPECT_EQ(picture.left_to_heap[0].bytes, 512);
}

// The plan of a trace shows the buffers of its trace, so it is one more layout and no second picture.
TEST(Report, PlansOfTheSameBuffersShareOnePicture) {
  const std::vector<Trace> traces = {two_passes()};
  std::vector<Picture> pictures = pictures_of(traces[0]).pictures;
  const PlannedVariants planned =
      plan_variants(find_variants(DistinctPasses(traces)), *find_strategy("strip-packing"), {});
  merge(pictures, plan_pictures(planned.plan, "a.plan", "a.plan"));
  merge(pictures, plan_pictures(planned.plan, "a.plan", "a.plan"));
  ASSERT_EQ(pictures.size(), 1U);
  EXPECT_EQ(pictures[0].layouts.size(), 4U);
  EXPECT_EQ(pictures[0].layouts.back().name, "a.plan");
}

TEST(Report, AnInstanceWithOffsetsIsShownAsItLies) {
  const Instance instance =
      read_csv("id,lower,upper,size,offset,scope\na,0,2,10,0,conv\nb,1,3,20,10,\n", "x.csv");
  const Picture picture = instance_picture(instance, "x.csv", strategies({"greedy-size"}), {}).picture;
  ASSERT_EQ(picture.layouts.size(), 1U);
  EXPECT_EQ(picture.layouts[0].name, "x.csv");
  EXPECT_EQ(picture.layouts[0].offsets, (Offsets{0, 10}));
  EXPECT_EQ(picture.layouts[0].height, 30);
  EXPECT_EQ(picture.operators.names(), (std::vector<std::string>{"conv", "outside operators"}));
  EXPECT_EQ(picture.sites.names()[0], "buffer a");
}

TEST(Report, AnInstanceWithoutOffsetsIsSolvedByEachStrategyThatTakesIt) {
  const Instance instance = read_csv("id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,\n", "x.csv");
  const InstancePicture made = instance_picture(instance, "x.csv", strategies({"greedy-size", "bump"}), {});
  ASSERT_EQ(made.picture.layouts.size(), 1U);
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_NE(made.notes[0].find("bump does not take this instance"), std::string::npos);
}

// Returns statistics as the library writes them; every figure is 0 but the given ones.
std::string statistics(std::uint64_t passes, std::uint64_t served, std::uint64_t too_big) {
  nlohmann::ordered_json json;
  for (const StatisticsRow& row : kStatisticsRows) {
    const std::string key(row.key);
    json[nlohmann::json::json_pointer("/" + std::regex_replace(key, std::regex("\\."), "/"))] = 0U;
  }
  json["passes"] = passes;
  json["served"] = served;
  json["fallback"]["too_big"] = too_big;
  json["heap"]["resident"] = 7U;
  json["plan"] = "a.plan";
  return json.dump();
}

TEST(Report, StatisticsAreReadWithTheirReasons) {
  const ServedRun run = read_served_run(statistics(4, 90, 10) + "\n", "stats.json");
  ASSERT_EQ(run.samples.size(), 1U);
  EXPECT_DOUBLE_EQ(run.last().judged().share(), 0.9);
  EXPECT_EQ(run.last().all.missed, 10U);
  EXPECT_EQ(run.last().fallback.at("too_big"), 10U);
  EXPECT_EQ(run.last().figure("heap.resident"), 7U);
  EXPECT_EQ(run.last().plan, "a.plan");
}

TEST(Report, StatisticsOverTimeAreOneObjectOnEachLine) {
  const ServedRun run = read_served_run(statistics(1, 5, 0) + "\n\n" + statistics(2, 9, 1) + "\n", "s");
  ASSERT_EQ(run.samples.size(), 2U);
  EXPECT_EQ(run.samples[0].figure("passes"), 1U);
  EXPECT_EQ(run.last().all.missed, 1U);
}

ServedVerdict verdict(std::uint64_t served, std::uint64_t too_big) {
  const ServedRun run = read_served_run(statistics(4, served, too_big), "s");
  return verdict_of(run.last());
}

TEST(Report, AVerdictIsInWords) {
  EXPECT_TRUE(verdict(990, 10).sentence.starts_with("the plan fits: 99.00 % of the allocations"));
  EXPECT_TRUE(verdict(950, 50).sentence.starts_with("the plan fits most of what runs"));
  EXPECT_TRUE(verdict(500, 500).sentence.starts_with("the plan does not fit what runs"));
  EXPECT_EQ(verdict(0, 0).sentence, "no pass allocated anything");
}

TEST(Report, AVerdictSaysWhatToDoAboutTheMostFrequentReason) {
  EXPECT_EQ(verdict(995, 5).advice, "");
  EXPECT_EQ(verdict(900, 100).advice, "too_big: a shape beyond the profile came: add its trace to the plan");
  const Served judged{.passes = 1, .served = 50, .served_bytes = 50, .missed = 50, .missed_bytes = 50};
  EXPECT_TRUE(verdict_of(judged, {{"no_lane", 20}, {"too_big", 10}, {"unplanned", 70}})
                  .advice.starts_with("no_lane: "));
  EXPECT_EQ(verdict_of(judged, {{"unplanned", 50}}).advice, "");
  EXPECT_TRUE(verdict_of(judged, {{"gave_up", 9000}, {"too_big", 10}}).advice.starts_with("too_big: "))
      << "a JIT's first passes say nothing about the others";
}

// What such passes leave to the heap says nothing about the plan.
TEST(Report, AVerdictSaysThatServingStoodAside) {
  const Served judged{.passes = 100, .served = 8, .served_bytes = 8, .missed = 92, .missed_bytes = 92};
  const ServedVerdict aside = verdict_of(judged, {{"gave_up", 92}}, 0.9);
  EXPECT_TRUE(aside.sentence.starts_with("serving stood aside for 90 % of the passes")) << aside.sentence;
  EXPECT_EQ(aside.advice.find("gave_up"), std::string::npos);
  EXPECT_TRUE(verdict_of(judged, {{"gave_up", 92}}, 0.1).sentence.starts_with("the plan does not fit"));
  EXPECT_NE(aside.sentence.find("of all passes were served"), std::string::npos) << aside.sentence;
  EXPECT_NE(verdict_of(judged, {}, 0.1).sentence.find("of all passes: serving stood aside for 10 % of them"),
            std::string::npos);
  EXPECT_DOUBLE_EQ(share_of_passes(3, 4), 0.75);
  EXPECT_DOUBLE_EQ(share_of_passes(0, 0), 0);
}

TEST(Report, AVerdictSaysWhereThereIsLittleToGain) {
  const Served judged{.passes = 1, .served = 100, .served_bytes = 100};
  const bool little = is_little_beside(34 << 10, 134 << 20);
  EXPECT_NE(verdict_of(judged, {}, 0, little).sentence.find(kLittleToGain), std::string::npos);
  EXPECT_FALSE(is_little_beside(20 << 20, 134 << 20));
  EXPECT_FALSE(is_little_beside(0, 134 << 20)) << "nothing is served at all";
}

// A cache that the program fills speaks neither against the plan nor for another one.
TEST(Report, AVerdictLeavesOutWhatTheProgramKeeps) {
  const Served judged{.passes = 1,
                      .served = 80,
                      .served_bytes = 80,
                      .missed = 20,
                      .missed_bytes = 20,
                      .kept = 20,
                      .kept_bytes = 20};
  const ServedVerdict kept = verdict_of(judged, {{"kept", 20}});
  EXPECT_TRUE(kept.sentence.starts_with("the plan fits: 80.00 % of the allocations")) << kept.sentence;
  EXPECT_NE(kept.sentence.find("100.00 % and 100.00 % without what the program keeps"), std::string::npos);
  EXPECT_EQ(kept.advice, "");
}

TEST(Report, StatisticsThatAreNoneSayWhichLineAndWhatIsMissing) {
  const auto complaint = [](const std::string& text) {
    try {
      static_cast<void>(read_served_run(text, "s"));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_TRUE(complaint("{}").starts_with("s has no number called passes"));
  EXPECT_EQ(complaint(statistics(1, 5, 0) + "\nrubbish"), "s:2 holds no JSON object");
  const auto without = [](const char* part) {
    auto figures = nlohmann::ordered_json::parse(statistics(1, 5, 0));
    figures.erase(part);
    return figures.dump();
  };
  EXPECT_TRUE(complaint(without("own")).starts_with("s has no number called own.plans"));
  EXPECT_EQ(complaint(without("heap")), "none");  // of a program that embeds the arena
  EXPECT_EQ(complaint(""), "s is empty");
}

TEST(Report, AComparisonIsReadBack) {
  const Measured measured = read_measured(
      R"({"command":["./server","-x"],"runs":3,"speed_figure":"seconds","machine":{"cores":"2"},"allocators":[
          {"name":"glibc","figures":{"seconds":{"median":2,"least":1,"greatest":3,"values":[1,2,3]}},
           "times_as_fast":{"value":1.5,"low":1.2,"high":1.9},"steady_memory":null,"resident_over_time":[[0.5,4096]]}]})",
      "c.json");
  EXPECT_EQ(measured.command, "./server -x");
  const MeasuredAllocator& glibc = measured.allocators.at(0);
  EXPECT_EQ(glibc.figures.at("seconds").greatest, 3);
  EXPECT_EQ(glibc.ratios.at("times_as_fast").low, 1.2);
  EXPECT_FALSE(glibc.ratios.contains("steady_memory"));
  ASSERT_EQ(glibc.memory.size(), 1U);
  EXPECT_EQ(glibc.memory[0].bytes, 4096);
  EXPECT_THROW(static_cast<void>(read_measured(R"({"speed_figure":"x"})", "c.json")), std::runtime_error);
}

// Latencies: less is faster. The second is slower and fatter than the first; the third has no memory.
TEST(Report, AComparisonHasItsFront) {
  const Measured measured = read_measured(
      R"({"command":["./server"],"runs":1,"speed_figure":"ms.p50","machine":{},"allocators":[
          {"name":"serve","figures":{"ms.p50":{"median":2,"least":2,"greatest":2},"resident_high":{"median":10,"least":9,"greatest":11}}},
          {"name":"glibc","figures":{"ms.p50":{"median":3,"least":3,"greatest":3},"resident_high":{"median":11,"least":9,"greatest":11}}},
          {"name":"other","figures":{"ms.p50":{"median":1,"least":1,"greatest":1}}}]})",
      "c.json");
  ASSERT_EQ(measured.standings.size(), 2U);
  EXPECT_TRUE(measured.standings[0].on_front);
  EXPECT_FALSE(measured.standings[1].on_front);
  EXPECT_GT(measured.standings[0].speed, measured.standings[1].speed);
}

// What a comparison of one round or several says of `serve` against glibc.
MeasuredVerdict judged(const std::string& ratios) {
  return verdict_of(read_measured(
      R"({"command":["x"],"runs":3,"speed_figure":"seconds","machine":{},"allocators":[
          {"name":"jemalloc","figures":{},"times_as_fast":{"value":9}},{"name":"glibc","figures":{},)" +
          ratios + R"(},{"name":"serve","figures":{}}]})",
      "c.json"));
}

TEST(Report, AComparisonSaysWhetherItHelps) {
  EXPECT_EQ(
      judged(R"("times_as_fast":{"value":1.5,"low":1.2,"high":1.9},"peak_memory":{"value":0.8})").sentence,
      "yes: serve is 1.500 times as fast as glibc (1.200 to 1.900), with 0.80 times as much memory at the peak");
  EXPECT_TRUE(
      judged(R"("times_as_fast":{"value":1.03})").sentence.starts_with("no difference was measured: "));
  EXPECT_TRUE(judged(R"("times_as_fast":{"value":1.03},"peak_memory":{"value":0.7})")
                  .sentence.starts_with("yes, in memory: "));
  EXPECT_EQ(judged(R"("times_as_fast":{"value":1.5,"low":1.2,"high":1.9})").advice, "");
}

TEST(Report, AComparisonThatSaysNoSaysWhatToDo) {
  const MeasuredVerdict verdict = judged(R"("times_as_fast":{"value":0.9,"low":0.85,"high":0.95})");
  EXPECT_TRUE(verdict.sentence.starts_with("no: "));
  EXPECT_TRUE(verdict.advice.starts_with("run without it, as glibc is faster here"));
}

Report report_of(Picture picture, Bytes height) {
  picture.layouts.push_back({.name = "x", .height = height});
  Report report{.title = "r"};
  report.pictures.push_back(std::move(picture));
  return report;
}

Report report_of(const std::string& statistics) {
  Report report{.title = "s"};
  report.served.push_back(read_served_run(statistics, "s"));
  return report;
}

const ChangedFigure& row(const Differences& differences, std::string_view title, std::string_view name) {
  const auto table = std::ranges::find(differences.tables, title, &ChangeTable::title);
  return *std::ranges::find(table->rows, name, &ChangedFigure::name);
}

TEST(Answers, SayWhatEarlierStartsFoundServingToBeWorth) {
  Report report{.title = "r"};
  report.sources.push_back({"a.plan", "plan"});
  EXPECT_TRUE(answers_of(report).front().text.starts_with("not measured yet"));
  report.worths.push_back({"a.plan", "a request takes 4.1 % less"});
  EXPECT_EQ(answers_of(report).front().text, "a request takes 4.1 % less");
  report.worths.push_back({"b.plan", "a request takes 2.3 % more"});
  EXPECT_EQ(answers_of(report)[1].question, "Does it help?");
  EXPECT_EQ(answers_of(report)[1].text, "b.plan: a request takes 2.3 % more");
}

TEST(Differences, OfSlabsAndOperators) {
  const Picture earlier =
      picture_of({{.life = {0, 1}, .size = 100}, {.life = {0, 1}, .size = 50}}, {"conv", "relu"});
  const Picture later =
      picture_of({{.life = {0, 1}, .size = 150}, {.life = {0, 1}, .size = 30}}, {"conv", "add"});
  const Differences differences = differences_between(report_of(earlier, 150), report_of(later, 180));
  EXPECT_EQ(differences.sentences[0], "the slab grew from 150 bytes to 180 bytes (+20.0 %)");
  EXPECT_EQ(differences.sentences[2], "of all operators, the requests of conv changed most: by +50 bytes");
  constexpr const char* kRequests = "Bytes that operators ask for";
  EXPECT_EQ(change_text(row(differences, kRequests, "conv")), "+50.0 %");
  EXPECT_EQ(change_text(row(differences, kRequests, "add")), "new");
  EXPECT_EQ(change_text(row(differences, kRequests, "relu")), "gone");
}

TEST(Differences, VariantsArePairedByWhatTheyAllocateThenByTheirKey) {
  const auto picture = [](std::uint64_t key, std::uint64_t fingerprint, const char* title) {
    Picture made = picture_of({{.life = {0, 1}, .size = 64}}, {"conv"});
    made.key = key;
    made.fingerprint = fingerprint;
    made.title = title;
    return made;
  };
  Report before{.title = "before"};
  before.pictures = {picture(1, 10, "a"), picture(1, 11, "b"), picture(2, 20, "c")};
  Report after{.title = "after"};
  after.pictures = {picture(1, 12, "d"), picture(1, 10, "e"), picture(3, 30, "f")};
  const Differences differences = differences_between(before, after);
  EXPECT_EQ(differences.sentences[1], "variants: 1 as before, 1 changed, 1 new, 1 gone");
  EXPECT_FALSE(row(differences, "Slab of each variant", "f").before.has_value());
  EXPECT_FALSE(row(differences, "Slab of each variant", "c").after.has_value());
}

TEST(Differences, OfServedRunsAreShares) {
  const Differences differences =
      differences_between(report_of(statistics(4, 990, 10)), report_of(statistics(40, 9000, 1000)));
  EXPECT_TRUE(differences.sentences[0].starts_with(
      "the share served fell from 99.00 % to 90.00 % of the allocations"));
  EXPECT_EQ(differences.sentences[1],
            "among the reasons for the heap too_big grew most: from 1.00 % to 10.00 % of the allocations");
  EXPECT_EQ(change_text(row(differences, "Served", "served, of the allocations")), "-9.00 points");
}

TEST(Differences, NothingChanged) {
  const Differences differences =
      differences_between(report_of(three_operators(), 180), report_of(three_operators(), 180));
  EXPECT_EQ(differences.sentences,
            (std::vector<std::string>{"the slab is as high as before, 180 bytes",
                                      "variants: 1 as before, 0 changed, 0 new, 0 gone"}));
}

TEST(Differences, OfFilesOfTwoKindsThereAreNone) {
  EXPECT_THROW(static_cast<void>(
                   differences_between(report_of(three_operators(), 180), report_of(statistics(1, 1, 0)))),
               std::runtime_error);
}

// Whatever a symbol is called, it must not end the script element or become markup.
TEST(Report, NamesCannotBreakOutOfThePage) {
  Report report{.title = "a</title><script>alert(1)</script>"};
  Picture picture = picture_of({{.life = {0, 1}, .size = 1}}, {"</script><script>alert(2)</script><!--"});
  picture.layouts.push_back({.name = "x", .height = 1, .offsets = {0}});
  report.pictures.push_back(std::move(picture));
  const std::string page = report_page(report);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("a&lt;/title&gt;"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(2)"), std::string::npos);
}

TEST(Report, ThePageAsksTheNetworkForNothing) {
  const std::string page = report_page({.title = "empty"});
  for (const char* word : {"src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

TEST(Report, TheJsonHasThePlainColumnsAndThePageThePackedOnes) {
  Report report{.title = "t"};
  report.pictures.push_back(three_operators());
  report.pictures[0].layouts.push_back({.name = "x", .height = 180, .offsets = {0, 100, 150, 0}});
  const auto plain = report_json(report, Columns::kPlain)["pictures"][0];
  EXPECT_EQ(plain["buffers"]["size"], (std::vector<int>{100, 50, 30, 50}));
  EXPECT_EQ(plain["layouts"][0]["offset"], (std::vector<int>{0, 100, 150, 0}));
  EXPECT_EQ(plain["peak"]["begin"], 2);
  const auto packed = report_json(report, Columns::kPacked)["pictures"][0];
  EXPECT_TRUE(packed["buffers"]["size"].is_string());
}

TEST(Shapes, OneLayoutIsComparedWithTheLargestAlone) {
  ShapesOfStructure shapes{.shapes = 3, .range = {.least = 1024, .most = 2048, .alone = 1000}};
  EXPECT_EQ(describe(shapes), "3 of one structure, asking for 1.00 KiB to 2.00 KiB");
  const std::string unplanned = describe(shapes);
  shapes.joint = 1100;
  EXPECT_EQ(describe(shapes), unplanned + ": one layout, 10.0 % over the largest alone");
}

TEST(Shapes, NumbersThatTheSizesFollowComeBeforeBytes) {
  ShapesOfStructure shapes{.shapes = 94,
                           .range = {.least = 1024, .most = 2048, .alone = 1000, .varying = {{8, 128}}}};
  EXPECT_EQ(describe(shapes), "94 of one structure; one size varies, 8 to 128");
  shapes.range.varying.insert(shapes.range.varying.begin(), {1, 8});
  EXPECT_EQ(describe(shapes), "94 of one structure; two sizes vary, 1 to 8 × 8 to 128");
  shapes.formulas = true;
  EXPECT_EQ(describe(shapes), "94 of one structure; two sizes vary, 1 to 8 × 8 to 128, with formulas");
}

}  // namespace
}  // namespace memo::planner
