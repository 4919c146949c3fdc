// What is said of the experiment in a process. Failure: a share without its interval, a gain that is called a loss, or a file of
// anybody's that is taken at its word.
#include "planner/tool/served/worth.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

Json with(const char* finding, double share, double low, double high, double more_faults) {
  return {{"worth",
           {{"finding", finding},
            {"share", share},
            {"low", low},
            {"high", high},
            {"more_faults", more_faults},
            {"pairs", 40},
            {"requests_to_look", 0}}}};
}

TEST(Worth, SaysHowMuchARequestGains) {
  EXPECT_EQ(describe_worth(with("helps", -0.041, -0.046, -0.036, -212.4)),
            "a request takes 4.1 % (3.6 to 4.6) less processor time than on the heap, 212 page faults fewer");
}

TEST(Worth, SaysHowMuchARequestLoses) {
  EXPECT_EQ(describe_worth(with("harms", 0.023, 0.019, 0.027, 1.2)),
            "a request takes 2.3 % (1.9 to 2.7) more processor time than on the heap, 1 page fault more");
}

TEST(Worth, SaysWhereThereIsNoDifferenceOrNoneToBeSeen) {
  EXPECT_EQ(describe_worth(with("no difference", 0.0005, -0.003, 0.004, 0)),
            "a request takes as much processor time as on the heap (-0.3 to +0.4 %)");
  EXPECT_EQ(describe_worth(with("cannot tell", 0.002, -0.012, 0.02, 0)),
            "requests differ too much to tell what serving is worth (-1.2 to +2.0 %)");
}

TEST(Worth, SaysThatAnEarlierStartFoundIt) {
  Json earlier = with("harms", 0.023, 0.019, 0.027, 0);
  earlier["worth"]["found_earlier"] = true;
  EXPECT_EQ(describe_worth(earlier),
            "a request takes 2.3 % (1.9 to 2.7) more processor time than on the heap (found earlier)");
  earlier["worth"]["found_earlier"] = false;
  EXPECT_EQ(describe_worth(earlier),
            "a request takes 2.3 % (1.9 to 2.7) more processor time than on the heap");
}

TEST(Worth, SaysWhatItIsWaitingFor) {
  Json none = with("not yet", 0, 0, 0, 0);
  none["worth"]["requests_to_look"] = 320;
  EXPECT_EQ(describe_worth(none), "what serving is worth is known after 320 more requests");
  Json some = with("not yet", -0.01, -0.03, 0.01, 0);
  some["worth"]["requests_to_look"] = 16;
  EXPECT_EQ(describe_worth(some),
            "what serving is worth is known after 16 more requests (-3.0 to +1.0 % so far)");
}

TEST(Worth, SaysNothingWhereNothingIsCompared) {
  EXPECT_EQ(describe_worth(Json::object()), "");
  EXPECT_EQ(describe_worth({{"worth", 3}}), "");
  EXPECT_EQ(worth_for_prometheus(Json::object(), ""), "");
}

TEST(Worth, TakesWhatIsNoNumberForNothing) {
  const Json damaged = {
      {"worth", {{"finding", 7}, {"share", "x"}, {"requests_to_look", nullptr}, {"found_earlier", "x"}}}};
  EXPECT_EQ(describe_worth(damaged), "what serving is worth is known after 0 more requests");
}

TEST(Worth, IsAGaugeForEachBound) {
  const std::string text = worth_for_prometheus(with("helps", -0.041, -0.046, -0.036, -212), "stats=\"s\"");
  EXPECT_NE(text.find("memomalloc_request_time_ratio{stats=\"s\",bound=\"low\"} 0.95400\n"),
            std::string::npos);
  EXPECT_NE(text.find("memomalloc_request_faults{stats=\"s\"} -212.0\n"), std::string::npos);
}

}  // namespace
}  // namespace memo::planner
