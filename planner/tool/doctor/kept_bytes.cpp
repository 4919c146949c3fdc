#include "planner/tool/doctor/kept_bytes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

namespace memo::doctor {
namespace {

using planner::Allocation;
using planner::Bytes;
using planner::Trace;

constexpr std::size_t kStretches = 8;
constexpr std::size_t kLeastPasses = 4;  // of a stretch
constexpr std::size_t kLeastRises = 5;   // of the seven steps between the stretches

std::vector<std::uint64_t> ends_of_passes(const Trace& trace) {
  std::vector<std::uint64_t> ends;
  for (const planner::Pass& pass : trace.passes)
    if (pass.complete) ends.push_back(pass.end_ns);
  std::ranges::sort(ends);
  return ends;
}

// Adds up what begins and ends between two passes.
class Changes {
 public:
  explicit Changes(const Trace& trace) : ends_(ends_of_passes(trace)) {
    for (const planner::Pass& pass : trace.passes)
      for (const Allocation& allocation : pass.allocations) add(allocation);
    for (const Allocation& allocation : trace.outside) add(allocation);
  }

  [[nodiscard]] std::vector<KeptBytes> summed_up() && {
    std::vector<KeptBytes> all;
    for (auto& [module, kept] : by_module_) {
      std::partial_sum(kept.blocks.begin(), kept.blocks.end(), kept.blocks.begin());
      std::partial_sum(kept.bytes.begin(), kept.bytes.end(), kept.bytes.begin());
      all.push_back(std::move(kept));
    }
    return all;
  }

 private:
  void add(const Allocation& allocation) {
    KeptBytes& kept = of(allocation.site.module);
    change_from(allocation.begin_ns, kept, 1, allocation.size);
    if (allocation.end_ns != 0) change_from(allocation.end_ns, kept, -1, -allocation.size);
  }

  // Changes the sums from the first pass on that ends at the moment or later.
  void change_from(std::uint64_t moment, KeptBytes& kept, int blocks, Bytes bytes) const {
    const auto pass = static_cast<std::size_t>(std::ranges::lower_bound(ends_, moment) - ends_.begin());
    if (pass == ends_.size()) return;
    kept.blocks[pass] += blocks;
    kept.bytes[pass] += bytes;
  }

  KeptBytes& of(planner::ModuleIndex module) {
    const auto [at, is_new] = by_module_.try_emplace(module);
    if (is_new)
      at->second = {module, std::vector<std::int64_t>(ends_.size()), std::vector<Bytes>(ends_.size())};
    return at->second;
  }

  std::vector<std::uint64_t> ends_;
  std::map<planner::ModuleIndex, KeptBytes> by_module_;  // differences from pass to pass
};

std::vector<std::int64_t> least_of_stretches(std::span<const std::int64_t> alive) {
  std::vector<std::int64_t> least;
  for (std::size_t i = 0; i < kStretches; ++i) {
    const std::size_t begin = alive.size() * i / kStretches;
    const std::size_t end = alive.size() * (i + 1) / kStretches;
    least.push_back(std::ranges::min(alive.subspan(begin, end - begin)));
  }
  return least;
}

bool rises_steadily(const std::vector<std::int64_t>& least) {
  if (!std::ranges::is_sorted(least) || least[kStretches - 2] == least[kStretches - 1]) return false;
  std::size_t rises = 0;
  for (std::size_t i = 1; i < kStretches; ++i) rises += least[i] > least[i - 1] ? 1U : 0U;
  return rises >= kLeastRises;
}

}  // namespace

std::vector<KeptBytes> kept_bytes(const Trace& trace) {
  return Changes(trace).summed_up();
}

double growth_per_pass(const std::vector<std::int64_t>& alive) {
  const std::span<const std::int64_t> steady = std::span(alive).subspan(alive.size() / 4);
  if (steady.size() < kStretches * kLeastPasses) return 0;
  const std::vector<std::int64_t> least = least_of_stretches(steady);
  if (!rises_steadily(least)) return 0;
  const std::size_t passes_between = steady.size() * (kStretches - 1) / kStretches;
  return static_cast<double>(least.back() - least.front()) / static_cast<double>(passes_between);
}

}  // namespace memo::doctor
