#include "tests/bench/replay/recording.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "planner/trace/trace.h"

namespace memo::bench {
namespace {

using planner::Allocation;
using planner::AllocationKind;
using planner::Pass;
using planner::Time;
using planner::Trace;

constexpr std::size_t kGranule = 64;

const Pass& commonest_pass(const Trace& trace) {
  std::map<std::uint64_t, std::pair<std::size_t, const Pass*>> kinds;  // fingerprint -> how many, the last
  for (const Pass& pass : trace.passes) {
    if (!pass.complete) continue;
    auto& [count, last] = kinds[planner::fingerprint(trace, pass)];
    ++count;
    last = &pass;
  }
  const auto most = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second.first; });
  if (most == kinds.end()) throw std::runtime_error(trace.path + " has no complete pass; record some more");
  return *most->second.second;
}

Call call_of(const Allocation& allocation) {
  switch (allocation.kind) {
    case AllocationKind::kCalloc:
      return Call::kCalloc;
    case AllocationKind::kAligned:
    case AllocationKind::kNewAligned:
      return Call::kAligned;
    case AllocationKind::kNew:
      return Call::kNew;
    default:
      return Call::kMalloc;
  }
}

struct Moment {
  Time time;
  bool allocates;  // what is freed at this moment goes first
  std::uint32_t block;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

std::vector<Moment> moments_of(const Pass& pass) {
  std::vector<Moment> moments;
  for (std::uint32_t block = 0; block < pass.allocations.size(); ++block) {
    const auto& life = pass.allocations[block].life;
    moments.push_back({life.begin, true, block});
    moments.push_back({std::max(life.end, life.begin + 1), false, block});
  }
  std::ranges::sort(moments);
  return moments;
}

Step step_of(const Pass& pass, const Moment& moment) {
  const Allocation& allocation = pass.allocations[moment.block];
  return {.size = std::max<std::size_t>(1, static_cast<std::size_t>(allocation.size)),
          .block = moment.block,
          .alignment = static_cast<std::uint16_t>(allocation.alignment),
          .call = moment.allocates ? call_of(allocation) : Call::kFree};
}

std::size_t peak_of(const std::vector<Step>& steps) {
  std::size_t live = 0;
  std::size_t peak = 0;
  for (const Step& step : steps) {
    const std::size_t bytes = (step.size + kGranule - 1) / kGranule * kGranule;
    live = step.call == Call::kFree ? live - bytes : live + bytes;
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace

Recording read_recording(const std::string& path) {
  const Trace trace = planner::read_trace(path);
  const Pass& pass = commonest_pass(trace);
  Recording recording;
  recording.blocks = static_cast<std::uint32_t>(pass.allocations.size());
  for (const Moment& moment : moments_of(pass)) recording.steps.push_back(step_of(pass, moment));
  recording.peak = peak_of(recording.steps);
  return recording;
}

}  // namespace memo::bench
