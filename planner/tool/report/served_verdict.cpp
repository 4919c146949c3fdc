#include "planner/tool/report/served_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace memo::planner {
namespace {

constexpr double kFits = 0.99;  // of allocations and of bytes
constexpr double kFitsMost = 0.9;

struct Advice {
  std::string_view reason;
  std::string_view text;
};

// What docs/tuning.md says of each reason.
constexpr Advice kAdvice[] = {
    {"no_plan", "a shape without a variant came: add its trace to the plan"},
    {"no_lane", "more passes ran at once than there are lanes: raise --lanes, or leave it at 0"},
    {"unknown_site",
     "another build runs, or a path that was not profiled: profile this build under this load"},
    {"unexpected", "a caller allocates more often than in the profile: profile longer"},
    {"too_big", "a shape beyond the profile came: add its trace to the plan"},
    {"alignment", "blocks are aligned more strictly than in the profile: profile this build"},
    {"occupied", "blocks live longer than in the profile: profile longer"},
    {"gave_up", "passes are unlike all profiled ones: look at inspect --since, and profile what runs now"},
};

std::string_view word_for(double share) {
  if (share >= kFits) return "the plan fits";
  return share >= kFitsMost ? "the plan fits most of what runs" : "the plan does not fit what runs";
}

std::uint64_t count_of(const std::map<std::string, std::uint64_t, std::less<>>& fallback,
                       const Advice& advice) {
  const auto found = fallback.find(advice.reason);
  return found == fallback.end() ? 0 : found->second;
}

// Returns the advice for the most frequent reason that there is advice for.
std::string advice_for(const std::map<std::string, std::uint64_t, std::less<>>& fallback) {
  const auto count = [&](const Advice& advice) { return count_of(fallback, advice); };
  const Advice& first = std::ranges::max(kAdvice, {}, count);
  return count(first) == 0 ? "" : fmt::format("{}: {}", first.reason, first.text);
}

}  // namespace

ServedVerdict verdict_of(const Served& judged,
                         const std::map<std::string, std::uint64_t, std::less<>>& fallback) {
  if (judged.allocations() == 0)
    return {"no pass allocated anything", "memomalloc doctor -- COMMAND says whether passes are found"};
  const double share = judged.without_kept().lesser_share();
  return {fmt::format("{}: {} were served{}", word_for(share), served_shares(judged),
                      shares_without_kept(judged)),
          share >= kFits ? "" : advice_for(fallback)};
}

}  // namespace memo::planner
