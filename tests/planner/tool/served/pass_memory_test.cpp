// What is said of the memory that passes take. Failure: a mean of other passes, buckets that do not add up, or a file of anybody's
// that is taken at its word.
#include "planner/tool/served/pass_memory.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

Json with(std::uint64_t sum, std::uint64_t most, Json buckets) {
  return {{"pass_memory", {{"sum", sum}, {"most", most}, {"up_to", std::move(buckets)}}}};
}

constexpr std::uint64_t kMiB = 1 << 20;

TEST(PassMemoryText, SaysTheMeanAndTheMost) {
  const Json memory = with(4 * 38 * kMiB, 100 * kMiB, {{"33554432", 3U}, {"134217728", 1U}});
  EXPECT_EQ(describe_pass_memory(memory), "a request takes 38.00 MiB (most: 100.00 MiB)");
}

TEST(PassMemoryText, SaysNoMostBelowTheMean) {
  EXPECT_EQ(describe_pass_memory(with(2 * kMiB, 0, {{"1048576", 2U}})),
            "a request takes 1.00 MiB (most: 1.00 MiB)");
}

TEST(PassMemoryText, SaysNothingWithoutPasses) {
  for (const Json& none :
       {Json::object(), Json{{"pass_memory", 3}}, with(5, 5, "x"), with(5, 5, {{"1024", -1}})}) {
    EXPECT_EQ(describe_pass_memory(none), "");
    EXPECT_EQ(pass_memory_for_prometheus(none, "a"), "");
  }
}

TEST(PassMemoryText, AddsItsBucketsUpForPrometheus) {
  const std::string text =
      pass_memory_for_prometheus(with(7000, 4000, {{"1024", 2U}, {"4096", 1U}, {"more", 1U}}), R"(a="b")");
  for (const char* line :
       {R"(_bucket{a="b",le="1024"} 2)", R"(_bucket{a="b",le="2048"} 2)", R"(_bucket{a="b",le="4096"} 3)",
        R"(_bucket{a="b",le="68719476736"} 3)", R"(_bucket{a="b",le="+Inf"} 4)", R"(_sum{a="b"} 7000)",
        R"(_count{a="b"} 4)", R"(most_bytes{a="b"} 4000)"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
}

TEST(PassMemoryText, TakesAwayWhatWasCountedBefore) {
  Json since = with(9000, 4000, {{"1024", 5U}, {"4096", 1U}});
  take_pass_memory_before(with(2000, 900, {{"1024", 3U}}), since);
  EXPECT_EQ(since, with(7000, 4000, {{"1024", 2U}, {"4096", 1U}}));
}

}  // namespace
}  // namespace memo::planner
