// Proves how the shares of what was served are read from statistics: of all passes, of the steady ones, and of a file that is
// missing or damaged.
#include "planner/tool/served/served.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "planner/system/temporary_folder.h"
#include "planner/tool/served/statistics_file.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

Json statistics() {
  return Json::parse(R"({
    "passes": 10, "served": 90, "served_bytes": 500, "fallback_bytes": 500, "fallback": {"warm_up": 4, "unplanned": 6},
    "steady": {"passes": 8, "served": 80, "served_bytes": 400, "missed": 0, "missed_bytes": 0}})");
}

TEST(Served, AllReasonsCountAsMissed) {
  const Served all = served_in_all(statistics());
  EXPECT_EQ(all.allocations(), 100);
  EXPECT_DOUBLE_EQ(all.share(), 0.9);
  EXPECT_DOUBLE_EQ(all.lesser_share(), 0.5);
  EXPECT_EQ(served_shares(all), "90.00 % of the allocations and 50.00 % of their bytes");
  EXPECT_EQ(served_amounts(all), "90.00 % of 100 allocations and 50.00 % of 1000 bytes");
}

TEST(Served, WhatIsMissingOrNoNumberCountsAsNothing) {
  EXPECT_EQ(served_in_all(Json{{"passes", "ten"}}).passes, 0);
  EXPECT_DOUBLE_EQ(served_when_steady(Json::object()).share(), 1);
}

TEST(Served, SinceAnotherProcessNothingCame) {
  const Served all = served_in_all(statistics());
  const Served earlier{.passes = 4, .served = 30, .served_bytes = 100, .missed = 2, .missed_bytes = 50};
  EXPECT_EQ(all.since(earlier).passes, 6);
  EXPECT_EQ(all.since(earlier).missed, 8);
  EXPECT_EQ(earlier.since(all).allocations(), 0);
}

// What a program keeps, no plan can serve: the shares are said with it and without it, by count and by bytes.
TEST(Served, WhatIsKeptIsSaidApart) {
  const Served all{.passes = 4,
                   .served = 80,
                   .served_bytes = 900,
                   .missed = 20,
                   .missed_bytes = 100,
                   .kept = 15,
                   .kept_bytes = 50};
  const Served rest = all.without_kept();
  EXPECT_DOUBLE_EQ(rest.share(), 80.0 / 85);
  EXPECT_DOUBLE_EQ(rest.share_of_bytes(), 900.0 / 950);
  EXPECT_EQ(shares_without_kept(all),
            ", and 94.12 % and 94.74 % without what the program keeps beyond its passes");
  EXPECT_EQ(shares_without_kept(rest), "");
}

TEST(Served, WhatIsKeptIsReadOfAllPassesAndOfTheSteadyOnes) {
  Json some = statistics();
  some["fallback"]["kept"] = 5U;
  some["kept_bytes"] = 70U;
  some["steady"].update({{"missed", 9U}, {"missed_bytes", 90U}, {"kept", 3U}, {"kept_bytes", 30U}});
  const Served all = served_in_all(some);
  EXPECT_EQ(all.missed, 15U);
  EXPECT_EQ(all.kept, 5U);
  EXPECT_EQ(all.kept_bytes, 70U);
  const Served steady = served_when_steady(some);
  EXPECT_EQ(steady.kept, 3U);
  EXPECT_EQ(all.since(steady).kept_bytes, 40U);
}

// Statistics that contradict themselves, as a damaged file's may, leave no share above 1.
TEST(Served, NoMoreIsKeptThanWasMissed) {
  const Served odd{.passes = 1,
                   .served = 1,
                   .served_bytes = 1,
                   .missed = 1,
                   .missed_bytes = 1,
                   .kept = 9,
                   .kept_bytes = 9};
  EXPECT_DOUBLE_EQ(odd.without_kept().lesser_share(), 1);
}

TEST(StatisticsFile, OfASteadyProcessTheSteadyPassesAreJudged) {
  const process::TemporaryFolder folder("served-test");
  const std::string path = (folder.path() / "stats").string();
  EXPECT_FALSE(read_served_share(path).has_value());
  std::ofstream(path) << "{\"passes\":";
  EXPECT_FALSE(read_served_share(path).has_value());
  std::ofstream(path) << statistics();
  const auto share = read_served_share(path);
  ASSERT_TRUE(share.has_value());
  EXPECT_TRUE(share->steady);
  EXPECT_EQ(share->passes, 10);
  EXPECT_EQ(share->judged.passes, 8);
}

}  // namespace
}  // namespace memo::planner
