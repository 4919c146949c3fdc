#include "planner/variants/peak_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

constexpr double kRarely = 1.0 / 20;
constexpr Bytes kHugePage = Bytes{1} << 21;
constexpr std::size_t kMostHeights = 48;  // tried; a profile of more distinct heights is looked at in steps

using Chosen = std::vector<bool>;

// Live bytes over the time of a pass, cut at the begins and ends of its blocks.
class Profile {
 public:
  explicit Profile(const Problem& problem) {
    for (const Buffer& buffer : problem.buffers)
      cuts_.insert(cuts_.end(), {buffer.life.begin, buffer.life.end});
    std::ranges::sort(cuts_);
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
    live_.resize(cuts_.size());
    for (const Buffer& buffer : problem.buffers) add(buffer.life, buffer.size);
  }

  void remove(const Buffer& buffer) { add(buffer.life, -buffer.size); }

  [[nodiscard]] const std::vector<Bytes>& live() const { return live_; }
  [[nodiscard]] bool is_over_somewhere(const Lifetime& life, Bytes height) const {
    return std::any_of(at(life.begin), at(life.end), [height](Bytes live) { return live > height; });
  }
  [[nodiscard]] bool is_over_always(const Lifetime& life, Bytes height) const {
    return std::all_of(at(life.begin), at(life.end), [height](Bytes live) { return live > height; });
  }

 private:
  [[nodiscard]] std::vector<Bytes>::const_iterator at(Time time) const {
    return live_.begin() + (std::ranges::lower_bound(cuts_, time) - cuts_.begin());
  }
  void add(const Lifetime& life, Bytes bytes) {
    const auto begin = std::ranges::lower_bound(cuts_, life.begin) - cuts_.begin();
    const auto end = std::ranges::lower_bound(cuts_, life.end) - cuts_.begin();
    for (auto cut = begin; cut < end; ++cut) live_[static_cast<std::size_t>(cut)] += bytes;
  }

  std::vector<Time> cuts_;
  std::vector<Bytes> live_;  // from each cut to the next
};

Chosen nothing_of(const PeakProblem& variant) {
  return Chosen(variant.problem.buffers.size(), false);
}

// --- three ways to choose the blocks of the peak for a split at a height --------------------------------------

Chosen those_only_over(const PeakProblem& variant, Bytes height) {
  const Profile profile(variant.problem);
  Chosen chosen;
  for (const Buffer& buffer : variant.problem.buffers)
    chosen.push_back(profile.is_over_always(buffer.life, height));
  return chosen;
}

Chosen those_placed_over(const PeakProblem& variant, Bytes height) {
  Chosen chosen;
  for (std::size_t i = 0; i < variant.offsets.size(); ++i)
    chosen.push_back(variant.offsets[i] + variant.problem.buffers[i].size > height);
  return chosen;
}

// Returns which of the pass's shares of time a life takes.
std::pair<std::ptrdiff_t, std::ptrdiff_t> range_in(const PeakProblem& variant, const Lifetime& life) {
  const std::ptrdiff_t end = std::min<std::ptrdiff_t>(life.end, std::ssize(variant.shares));
  return {std::min<std::ptrdiff_t>(life.begin, end), end};
}

double time_of(const PeakProblem& variant, const Lifetime& life) {
  const auto [begin, end] = range_in(variant, life);
  return std::accumulate(variant.shares.begin() + begin, variant.shares.begin() + end, 0.0);
}

// Takes the blocks that live shortest first, until what is left fits below the height.
Chosen the_shortest_over(const PeakProblem& variant, Bytes height) {
  const std::vector<Buffer>& buffers = variant.problem.buffers;
  std::vector<double> times;
  times.reserve(buffers.size());
  for (const Buffer& buffer : buffers) times.push_back(time_of(variant, buffer.life));
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times[i]; });
  Profile profile(variant.problem);
  Chosen chosen = nothing_of(variant);
  for (const std::size_t i : order) {
    if (!profile.is_over_somewhere(buffers[i].life, height)) continue;
    profile.remove(buffers[i]);
    chosen[i] = true;
  }
  return chosen;
}

using Way = Chosen (*)(const PeakProblem&, Bytes);
constexpr Way kWays[] = {those_only_over, those_placed_over, the_shortest_over};

// --- the search ---------------------------------------------------------------------------------------------

Bytes height_of(const PeakProblem& variant) {
  return height(variant.problem, variant.offsets);
}

// Returns the height of the highest variant that must stay whole.
Bytes highest_whole(std::span<const PeakProblem> variants) {
  Bytes highest = 0;
  for (const PeakProblem& variant : variants)
    if (!variant.may_be_split) highest = std::max(highest, height_of(variant));
  return highest;
}

Bytes highest_of(std::span<const PeakProblem> variants) {
  Bytes highest = 0;
  for (const PeakProblem& variant : variants) highest = std::max(highest, height_of(variant));
  return highest;
}

// Returns the heights to try: those that the live bytes have, from `least` on.
std::vector<Bytes> heights_to_try(std::span<const PeakProblem> variants, Bytes least) {
  std::set<Bytes> heights{least};
  for (const PeakProblem& variant : variants) {
    const Profile profile(variant.problem);
    for (const Bytes live : profile.live())
      if (live > least) heights.insert(live);
  }
  const std::vector<Bytes> all(heights.begin(), heights.end());
  std::vector<Bytes> some;
  const std::size_t step = all.size() / kMostHeights + 1;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

// Returns the split at this height. What a variant has that is not higher stays in its lane.
PeakChoice split_at(std::span<const PeakProblem> variants, Bytes height, Way way, std::uint32_t concurrent) {
  PeakChoice choice;
  double share = 0;
  for (const PeakProblem& variant : variants) {
    const bool may_be_split = variant.may_be_split && height_of(variant) > height;
    choice.of_peak.push_back(may_be_split ? way(variant, height) : nothing_of(variant));
    const Chosen& chosen = choice.of_peak.back();
    const bool whole = std::ranges::find(chosen, true) == chosen.end();
    const Bytes own = whole ? height_of(variant) : peak_live_bytes(part_of(variant.problem, chosen, false));
    choice.own = std::max(choice.own, own);
    choice.peak = std::max(choice.peak, peak_live_bytes(part_of(variant.problem, chosen, true)));
    share += variant.weight * share_of_time(variant, chosen);
  }
  choice.regions = choice.peak == 0 ? 0 : regions_for(std::min(share, 1.0), concurrent);
  return choice;
}

PeakChoice in_one_part(std::span<const PeakProblem> variants) {
  PeakChoice whole{.own = highest_of(variants)};
  for (const PeakProblem& variant : variants) whole.of_peak.push_back(nothing_of(variant));
  return whole;
}

// Returns the chance that exactly `busy` of the passes need a region at once.
double chance_of(std::uint32_t busy, double share, std::uint32_t concurrent) {
  const double ways =
      std::lgamma(concurrent + 1.0) - std::lgamma(busy + 1.0) - std::lgamma(concurrent - busy + 1.0);
  return std::exp(ways) * std::pow(share, busy) * std::pow(1 - share, concurrent - busy);
}

}  // namespace

Bytes memory_of(Bytes bytes) {
  return std::max(bytes, (bytes + kHugePage / 2) / kHugePage * kHugePage);
}

Bytes sum_of(const PeakChoice& choice, Bytes cells, std::uint32_t concurrent) {
  return memory_of(cells + choice.own) * static_cast<Bytes>(concurrent) +
         memory_of(choice.peak) * static_cast<Bytes>(choice.regions);
}

PeakChoice choose_peaks(std::span<const PeakProblem> variants, Bytes cells, std::uint32_t concurrent) {
  PeakChoice best = in_one_part(variants);
  if (concurrent < 2) return best;
  for (const Bytes height : heights_to_try(variants, highest_whole(variants))) {
    for (const Way way : kWays) {
      PeakChoice choice = split_at(variants, height, way, concurrent);
      if (sum_of(choice, cells, concurrent) < sum_of(best, cells, concurrent)) best = std::move(choice);
    }
  }
  return best;
}

// A pass that needs a region finds as many as are not needed by the others.
std::uint32_t regions_for(double share, std::uint32_t concurrent) {
  const std::uint32_t most = std::min(concurrent, kMaxPeakRegions);
  double enough = 0;
  for (std::uint32_t regions = 1; regions < most; ++regions) {
    enough += chance_of(regions - 1, share, concurrent - 1);
    if (1 - enough <= kRarely) return regions;
  }
  return most;
}

double share_of_time(const PeakProblem& variant, const std::vector<bool>& chosen) {
  std::vector<bool> busy(variant.shares.size(), false);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const auto [begin, end] = range_in(variant, variant.problem.buffers[i].life);
    std::fill(busy.begin() + begin, busy.begin() + end, true);
  }
  double share = 0;
  for (std::size_t at = 0; at < busy.size(); ++at) share += busy[at] ? variant.shares[at] : 0;
  return std::min(share, 1.0);
}

Problem part_of(const Problem& problem, const std::vector<bool>& chosen, bool the_chosen,
                std::vector<std::size_t>* index) {
  Problem part;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (chosen[i] != the_chosen) continue;
    part.buffers.push_back(problem.buffers[i]);
    if (index != nullptr) index->push_back(i);
  }
  return part;
}

}  // namespace memo::planner
