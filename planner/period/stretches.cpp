#include "planner/period/stretches.h"

#include <algorithm>
#include <utility>

#include "planner/period/beginnings.h"
#include "runtime/formats/hash.h"

namespace memo::planner {
namespace {

constexpr std::size_t kFarMoreOften = 8;
constexpr std::size_t kMostKinds = 8;     // stretches are compared with so many kinds, the most frequent ones
constexpr std::size_t kStraysAlways = 4;  // a pass may have so many strays,
constexpr std::size_t kStraysOneIn = 20;  // and one more for each 20 steps

// Returns how many different neighbours each context has on one side.
template <typename Neighbour>
std::vector<std::uint32_t> count_neighbours(std::span<const Sequence> threads, std::size_t contexts,
                                            const Neighbour& neighbour) {
  std::vector<std::uint64_t> pairs;
  for (const Sequence& thread : threads)
    for (std::size_t i = 0; i < thread.size(); ++i)
      pairs.push_back(std::uint64_t{thread[i].context} << 32 | neighbour(thread, i));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::uint32_t> counts(contexts, 0);
  for (const std::uint64_t pair : pairs) ++counts[pair >> 32];
  return counts;
}

}  // namespace

StepIndex::StepIndex(std::span<const Sequence> threads) : threads_(threads), sums_(threads.size()) {
  find_places();
  find_irregular();
  std::size_t longest = 0;
  for (const Sequence& thread : threads_) longest = std::max(longest, thread.size());
  powers_.assign(longest + 1, 1);
  for (std::size_t i = 1; i <= longest; ++i) powers_[i] = powers_[i - 1] * kSpread;
  for (std::size_t t = 0; t < threads_.size(); ++t) add_up(threads_[t], sums_[t]);
}

void StepIndex::find_places() {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    for (std::uint32_t i = 0; i < threads_[t].size(); ++i) {
      const ContextId context = threads_[t][i].context;
      if (context >= places_.size()) places_.resize(context + std::size_t{1});
      places_[context].push_back({t, i});
    }
  }
}

// Marks the irregular contexts. Anything may come before what opens a pass, or after what ends one, so a
// context with few different neighbours on one side is regular.
void StepIndex::find_irregular() {
  const auto before = count_neighbours(threads_, contexts(), [](const Sequence& thread, std::size_t i) {
    return i == 0 ? UINT32_MAX : thread[i - 1].context;
  });
  const auto behind = count_neighbours(threads_, contexts(), [](const Sequence& thread, std::size_t i) {
    return i + 1 == thread.size() ? UINT32_MAX : thread[i + 1].context;
  });
  irregular_.assign(contexts(), false);
  for (std::size_t c = 0; c < contexts(); ++c)
    irregular_[c] = std::size_t{3} * std::min(before[c], behind[c]) > places_[c].size();
}

void StepIndex::add_up(const Sequence& thread, Sums& sums) {
  sums.all.assign(1, 0);
  sums.regular.assign(1, 0);
  sums.regular_steps.assign(1, 0);
  sums.bytes.assign(1, 0);
  for (const Step& step : thread) {
    const std::uint64_t value = scrambled(step.context);
    const bool regular = !irregular_[step.context];
    sums.all.push_back(sums.all.back() * kSpread + value);
    sums.regular.push_back(regular ? sums.regular.back() * kSpread + value : sums.regular.back());
    sums.regular_steps.push_back(sums.regular_steps.back() + (regular ? 1 : 0));
    sums.bytes.push_back(sums.bytes.back() + static_cast<double>(step.size));
  }
}

std::uint64_t StepIndex::hash(const Stretch& stretch) const {
  const Sums& sums = sums_[stretch.thread];
  const std::uint32_t length = stretch.end - stretch.begin;
  return (sums.all[stretch.end] - sums.all[stretch.begin] * power(length)) ^ length;
}

std::uint64_t StepIndex::regular_hash(const Stretch& stretch) const {
  const Sums& sums = sums_[stretch.thread];
  const std::uint32_t length = regular_steps(stretch);
  return (sums.regular[stretch.end] - sums.regular[stretch.begin] * power(length)) ^ length;
}

std::uint32_t StepIndex::regular_steps(const Stretch& stretch) const {
  const Sums& sums = sums_[stretch.thread];
  return sums.regular_steps[stretch.end] - sums.regular_steps[stretch.begin];
}

namespace {

std::size_t most_strays(std::size_t steps) {
  return kStraysAlways + steps / kStraysOneIn;
}

}  // namespace

bool follow(const StepIndex& index, std::span<const ContextId> contexts, Stretch& stretch) {
  const Sequence& thread = index.threads()[stretch.thread];
  const std::size_t most = most_strays(contexts.size());
  std::vector<std::uint32_t> strays;
  std::size_t next = 0;
  std::uint32_t step = stretch.begin;
  for (; step < stretch.end && next < contexts.size(); ++step) {
    if (thread[step].context == contexts[next]) {
      ++next;
    } else {
      strays.push_back(step);
      if (strays.size() > most) return false;
    }
  }
  if (next != contexts.size()) return false;
  stretch.end = step;
  stretch.strays = std::move(strays);
  return true;
}

namespace {

// A kind of pass: the contexts of one pass, without its strays.
struct Kind {
  std::vector<ContextId> contexts;
  std::size_t runs = 0;
};

bool is_before(const Stretch& a, const Stretch& b) {
  return a.thread != b.thread ? a.thread < b.thread : a.begin < b.begin;
}

class Divider {
 public:
  Divider(const StepIndex& index, ContextId anchor) : index_(index), anchor_(anchor) {}

  Division divide() {
    cut();
    Division division{.passes = {}, .stretches = open_.size()};
    std::erase_if(open_, [](const Stretch& stretch) { return stretch.end - stretch.begin < kLeastSteps; });
    const std::vector<Stretch> stretches = open_;
    take_equal([this](const Stretch& stretch) { return index_.hash(stretch); }, /*without_irregular=*/false);
    take_with_strays();
    std::erase_if(open_, [this](const Stretch& stretch) { return !is_mostly_regular(stretch); });
    take_equal([this](const Stretch& stretch) { return index_.regular_hash(stretch); }, true);
    take_with_strays();
    prefer_beginnings(stretches);
    std::sort(passes_.begin(), passes_.end(), is_before);
    division.passes = std::move(passes_);
    return division;
  }

 private:
  void cut() {
    const std::vector<StepIndex::Place>& places = index_.places(anchor_);
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      if (places[i].thread == places[i + 1].thread)
        open_.push_back({.thread = places[i].thread,
                         .begin = places[i].step,
                         .end = places[i + 1].step,
                         .next = places[i + 1].step});
    }
  }

  void prefer_beginnings(const std::vector<Stretch>& stretches) {
    std::vector<Stretch> beginnings = begins_alike(index_, stretches);
    if (worth(beginnings) > worth(passes_)) passes_ = std::move(beginnings);
  }

  // Returns how many steps a plan would serve, less the steps that outlive their pass and the strays.
  [[nodiscard]] std::int64_t worth(const std::vector<Stretch>& passes) const {
    std::int64_t steps = 0;
    for (const Stretch& pass : passes) {
      const Sequence& thread = index_.threads()[pass.thread];
      for_each_own_step(pass, [&](std::uint32_t step) { steps += outlives(thread[step], pass) ? -1 : 1; });
      steps -= static_cast<std::int64_t>(pass.strays.size());
    }
    return steps;
  }

  [[nodiscard]] bool is_mostly_regular(const Stretch& stretch) const {
    return 2 * index_.regular_steps(stretch) >= stretch.end - stretch.begin;
  }

  [[nodiscard]] ContextId context(const Stretch& stretch, std::uint32_t step) const {
    return index_.threads()[stretch.thread][step].context;
  }

  void remember_kind(const Stretch& stretch, std::size_t runs) {
    Kind kind{.contexts = {}, .runs = runs};
    for_each_own_step(stretch, [&](std::uint32_t step) { kind.contexts.push_back(context(stretch, step)); });
    kinds_.push_back(std::move(kind));
  }

  void leave_irregular_out(Stretch& stretch) const {
    for (std::uint32_t step = stretch.begin; step < stretch.end; ++step)
      if (index_.irregular(context(stretch, step))) stretch.strays.push_back(step);
  }

  // Takes equal stretches as passes, the largest groups first. A group that follows a known kind except for
  // strays, and is far rarer, is no kind of its own.
  template <typename Hash>
  void take_equal(const Hash& hash, bool without_irregular) {
    std::unordered_map<std::uint64_t, std::vector<Stretch>> groups;
    for (Stretch& stretch : open_) groups[hash(stretch)].push_back(std::move(stretch));
    std::vector<std::vector<Stretch>> ranked;
    ranked.reserve(groups.size());
    for (auto& [value, group] : groups) ranked.push_back(std::move(group));
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() > b.size() : is_before(a.front(), b.front());
    });
    open_.clear();
    for (std::vector<Stretch>& group : ranked) take_group(std::move(group), without_irregular);
    keep_most_frequent();
  }

  void take_group(std::vector<Stretch> group, bool without_irregular) {
    const auto like = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return kind.runs >= kFarMoreOften * group.size() && is_run_of(kind, group.front());
    });
    if (group.size() < 2 || like != kinds_.end()) {
      for (Stretch& stretch : group) stretch.strays.clear();
      open_.insert(open_.end(), group.begin(), group.end());
      return;
    }
    if (without_irregular)
      for (Stretch& stretch : group) leave_irregular_out(stretch);
    remember_kind(group.front(), group.size());
    passes_.insert(passes_.end(), group.begin(), group.end());
  }

  void keep_most_frequent() {
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const Kind& a, const Kind& b) { return a.runs > b.runs; });
    if (kinds_.size() > kMostKinds) kinds_.resize(kMostKinds);
  }

  void take_with_strays() {
    std::vector<Stretch> rest;
    for (Stretch& stretch : open_) {
      const bool taken = std::any_of(kinds_.begin(), kinds_.end(),
                                     [&](const Kind& kind) { return is_run_of(kind, stretch); });
      (taken ? passes_ : rest).push_back(std::move(stretch));
    }
    open_ = std::move(rest);
  }

  [[nodiscard]] bool is_run_of(const Kind& kind, Stretch& stretch) const {
    const std::size_t steps = stretch.end - stretch.begin;
    if (steps < kind.contexts.size() || steps - kind.contexts.size() > most_strays(kind.contexts.size()))
      return false;
    Stretch followed = stretch;
    if (!follow(index_, kind.contexts, followed)) return false;
    for (; followed.end < stretch.end; ++followed.end) followed.strays.push_back(followed.end);
    stretch = std::move(followed);
    return true;
  }

  const StepIndex& index_;
  ContextId anchor_;
  std::vector<Stretch> open_;
  std::vector<Stretch> passes_;
  std::vector<Kind> kinds_;
};

}  // namespace

Division divide(const StepIndex& index, ContextId anchor) {
  return Divider(index, anchor).divide();
}

}  // namespace memo::planner
