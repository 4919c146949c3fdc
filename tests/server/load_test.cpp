#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "examples/mini_server/load/run.h"
#include "examples/mini_server/load/summary.h"

namespace mini {
namespace {

TEST(Expectations, HoldEveryAnswerAgainstTheFirst) {
  Expectations expectations({Target{"/a", ""}});
  EXPECT_EQ(expectations.check("/a", "1"), "");
  EXPECT_EQ(expectations.check("/a", "1"), "");
  EXPECT_EQ(expectations.check("/a", "2"), "/a gave the checksum 2, not 1");
}

TEST(Expectations, HoldEvenTheFirstAgainstAGivenOne) {
  Expectations expectations({Target{"/a", "1"}});
  EXPECT_NE(expectations.check("/a", "2"), "");
}

TEST(Percentile, IsTheNearestRank) {
  const std::vector<double> sorted{1, 2, 3, 4};
  EXPECT_EQ(percentile(sorted, 0.5), 2);
  EXPECT_EQ(percentile(sorted, 0.99), 4);
  EXPECT_EQ(percentile(sorted, 0), 1);
  EXPECT_EQ(percentile({}, 0.5), 0);
}

TEST(SummaryJson, CountsWhatHappened) {
  LoadResult result;
  result.latencies = {3, 1, 2};
  result.wrong = 1;
  result.failed = 2;
  result.seconds = 1.5;
  result.checksums = {{"/a", "1"}};
  result.answers = {{"/a", 4}};
  const nlohmann::json json = nlohmann::json::parse(summary_json(result));
  EXPECT_EQ(json["requests"], 3);
  EXPECT_EQ(json["requests_per_second"], 2);
  EXPECT_EQ(json["latency_ms"]["mean"], 2);
  EXPECT_EQ(json["latency_ms"]["max"], 3);
  EXPECT_EQ(json["wrong"], 1);
  EXPECT_EQ(json["failed"], 2);
  EXPECT_EQ(json["checksums"]["/a"], "1");
  EXPECT_EQ(json["answers"]["/a"], 4);
}

}  // namespace
}  // namespace mini
