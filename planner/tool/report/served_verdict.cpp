#include "planner/tool/report/served_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/formats/reasons.h"

namespace memo::planner {
namespace {

constexpr double kFits = 0.99;  // of allocations and of bytes
constexpr double kFitsMost = 0.9;
constexpr double kMostAside = 0.5;  // of the passes; of more, what was served says little

std::string_view word_for(double share) {
  if (share >= kFits) return "the plan fits";
  return share >= kFitsMost ? "the plan fits most of what runs" : "the plan does not fit what runs";
}

ServedVerdict verdict_on_aside(const Served& judged, double aside) {
  return {
      fmt::format(
          "serving stood aside for {:.0f} % of the passes, since it cost them more than it saved: {} of all passes were served",
          100 * aside, served_shares(judged)),
      "nothing, if the program does what was profiled: its blocks are so small that the heap is as fast; else profile and plan again"};
}

// Returns what else the shares are of than the plan, or "" where that is next to nothing.
std::string passes_aside(double aside) {
  constexpr double kWorthSaying = 0.01;
  if (aside < kWorthSaying) return "";
  return fmt::format(", of all passes: serving stood aside for {:.0f} % of them", 100 * aside);
}

std::uint64_t count_of(const std::map<std::string, std::uint64_t, std::less<>>& fallback,
                       const ReasonAdvice& advice) {
  const auto found = fallback.find(advice.reason);
  return found == fallback.end() ? 0 : found->second;
}

// Returns the advice for the most frequent reason that there is advice for. Leaves out what came more often than the judged passes
// missed anything: most of it is of the warm-up, in which a JIT compiles.
std::string advice_for(const std::map<std::string, std::uint64_t, std::less<>>& fallback,
                       std::uint64_t missed) {
  const auto count = [&](const ReasonAdvice& advice) {
    const std::uint64_t all = advice.text.empty() ? 0 : count_of(fallback, advice);
    return all > missed ? 0 : all;
  };
  const ReasonAdvice& first = std::ranges::max(kReasonAdvice, {}, count);
  return count(first) == 0 ? "" : fmt::format("{}: {}", first.reason, first.text);
}

}  // namespace

ServedVerdict verdict_of(const Served& judged,
                         const std::map<std::string, std::uint64_t, std::less<>>& fallback, double aside,
                         bool little) {
  if (judged.allocations() == 0)
    return {"no pass allocated anything", "memomalloc doctor -- COMMAND says whether passes are found"};
  if (aside > kMostAside) return verdict_on_aside(judged, aside);
  const double share = judged.without_kept().lesser_share();
  return {fmt::format("{}: {} were served{}{}{}{}", word_for(share), served_shares(judged),
                      shares_without_kept(judged), passes_aside(aside), little ? "; " : "",
                      little ? kLittleToGain : ""),
          share >= kFits ? "" : advice_for(fallback, judged.missed)};
}

ServedVerdict verdict_of(const ServedSample& sample) {
  return verdict_of(sample.judged(), sample.fallback,
                    share_of_passes(sample.figure("aside.passes"), sample.all.passes),
                    is_little_beside(sample.figure("slab_bytes"), sample.figure("heap.resident")));
}

double share_of_passes(std::uint64_t some, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

}  // namespace memo::planner
