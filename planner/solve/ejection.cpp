#include "planner/solve/ejection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <utility>

#include "planner/placing/budget.h"
#include "planner/placing/contention.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"
#include "planner/solve/greedy_size.h"
#include "planner/solve/peak_window.h"
#include "planner/solve/strip_packing.h"
#include "planner/solve/windows.h"

namespace memo::planner {
namespace {

constexpr std::array<double, 3> kPowers = {256, 64, 1024};
// The heights of a run, as shares of the way from enough to the best plan.
constexpr std::array<double, 7> kHeights = {0, 1.0 / 64, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2};
constexpr unsigned kRunsInVain = 9;
constexpr std::uint64_t kDefaultNodes = 2'000'000;

// Returns how hard each buffer is to place, as above.
std::vector<double> hardness(const Problem& problem, double power) {
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  const std::vector<Bytes> live = live_in_sections(problem, sections);
  const auto peak = static_cast<double>(std::max<Bytes>(*std::max_element(live.begin(), live.end()), 1));
  constexpr double kLeast = 1e-30;  // far from the peak, sizes and lives still decide
  std::vector<double> until{0};
  for (const Bytes bytes : live)
    until.push_back(until.back() + std::max(std::pow(static_cast<double>(bytes) / peak, power), kLeast));
  std::vector<double> hard;
  hard.reserve(sections.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto begin = static_cast<std::size_t>(sections[i].begin);
    const auto end = static_cast<std::size_t>(sections[i].end);
    hard.push_back(static_cast<double>(problem.buffers[i].size) * (until[end] - until[begin]));
  }
  return hard;
}

// One run: what is placed, what waits, and what pushing a buffer out costs.
class Run {
 public:
  // Begins with these places, and those of the fixed buffers.
  Run(const Problem& problem, double power, std::span<const PeakWindow::Place> places)
      : problem_(problem), placed_(problem), hard_(hardness(problem, power)) {
    weigh();
    for (const auto& [buffer, offset] : places) placed_.place(buffer, offset);
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      if (placed_.offsets()[i] >= 0) continue;
      if (problem.buffers[i].fixed) {
        placed_.place(i, *problem.buffers[i].fixed);
      } else {
        waiting_.emplace(hard_[i], i);
      }
    }
  }

  // Places what waits. Returns true when all have a place, false after pushing so often or when the budget ends.
  bool place_all(Bytes height, std::size_t most_pushes, Budget& budget) {
    for (std::size_t pushes = 0; !waiting_.empty(); pushes += pushed_ ? 1 : 0) {
      if (pushes > most_pushes || !budget.spend()) return false;
      if (!place_next(height)) return false;
    }
    return true;
  }

  [[nodiscard]] const Offsets& offsets() const { return placed_.offsets(); }

 private:
  // Limits the sum of all weights to what a weight can hold.
  [[nodiscard]] Weight most_weight() const {
    return (Weight{1} << 61) / static_cast<Weight>(problem_.buffers.size());
  }

  void weigh() {
    constexpr double kRoomToGrow = 256;
    const double hardest = *std::max_element(hard_.begin(), hard_.end());
    const double unit = static_cast<double>(most_weight()) / kRoomToGrow / std::max(hardest, 1e-300);
    for (std::size_t i = 0; i < hard_.size(); ++i) {
      first_weight_.push_back(1 + static_cast<Weight>(hard_[i] * unit));
      losses_.push_back({problem_.buffers[i].fixed ? 1 : 0, first_weight_.back()});
    }
  }

  // Places the hardest buffer that waits. Returns false where only fixed buffers could make room for it.
  bool place_next(Bytes height) {
    const BufferIndex i = waiting_.top().second;
    const Buffer& buffer = problem_.buffers[i];
    const Wish wish{buffer.size, buffer.alignment, height};
    const std::span<const PlacedBuffers::Extent> others = placed_.alive_with(i);
    std::optional<Offset> place = Windows::tightest_gap(others, wish);
    pushed_ = !place;
    if (pushed_) {
      const std::optional<Window> window = windows_.cheapest(others, losses_, wish);
      if (!window || window->loss.fixed > 0) return false;
      place = window->begin;
    }
    waiting_.pop();
    if (pushed_) push_out(i, others, *place);
    placed_.place(i, *place);
    return true;
  }

  void push_out(BufferIndex pushing, std::span<const PlacedBuffers::Extent> others, Offset place) {
    const Offset end = place + problem_.buffers[pushing].size;
    for (const PlacedBuffers::Extent& other : others) {
      if (other.begin >= end || other.end <= place) continue;
      placed_.take_back(other.buffer);
      waiting_.emplace(hard_[other.buffer], other.buffer);
    }
    Weight& weight = losses_[pushing].weight;
    weight = std::min(weight + first_weight_[pushing], most_weight());
  }

  const Problem& problem_;
  PlacedBuffers placed_;
  std::vector<double> hard_;
  std::vector<Weight> first_weight_;
  std::vector<Loss> losses_;
  std::priority_queue<std::pair<double, BufferIndex>> waiting_;
  Windows windows_;
  bool pushed_ = false;  // by the buffer that was placed last
};

class Ejection {
 public:
  Ejection(const Problem& problem, Bytes enough, const Limits& limits, Offsets& plan)
      : problem_(problem),
        enough_(enough),
        limits_(limits),
        budget_(limits, kDefaultNodes),
        plan_(plan),
        height_(height(problem, plan)) {}

  std::uint64_t improve() {
    if (done()) return budget_.spent();
    pack_peak();
    std::size_t patience = first_patience();
    unsigned in_vain = 0;
    for (std::size_t number = 0; in_vain < kRunsInVain && !done(); ++number) {
      const double power = kPowers[number % kPowers.size()];
      if (run_with_peak(power, patience) || run(power, {}, patience)) {
        in_vain = 0;
      } else {
        ++in_vain;
        patience *= 2;
      }
    }
    return budget_.spent();
  }

 private:
  [[nodiscard]] bool done() const { return height_ <= enough_ || budget_.exhausted(); }

  // Returns how often a run may push at each height. Few pushes do at first: when they do not, a little more height helps
  // more than many of them.
  [[nodiscard]] std::size_t first_patience() const {
    return static_cast<std::size_t>(std::sqrt(static_cast<double>(problem_.buffers.size())) / 2) + 1;
  }

  // Looks for places around the peak. That takes a part of the limits at most.
  void pack_peak() {
    constexpr std::uint64_t kMostNodes = 10'000;
    constexpr std::uint64_t kPart = 4;
    Limits limits{.nodes = std::min(kMostNodes, limits_.nodes.value_or(kDefaultNodes) / kPart),
                  .cancel = limits_.cancel};
    if (limits_.seconds) limits.seconds = *limits_.seconds / kPart;
    peak_ = pack_peak_window(problem_, enough_, limits);
    budget_.spend(peak_.nodes);
  }

  // Runs with the places around the peak, until that has been in vain for each power. Returns true when the plan became lower.
  bool run_with_peak(double power, std::size_t patience) {
    if (peak_.places.empty()) return false;
    if (run(power, peak_.places, patience)) {
      peak_in_vain_ = 0;
      return true;
    }
    if (++peak_in_vain_ == kPowers.size()) peak_.places.clear();
    return false;
  }

  // Returns true when the plan became lower, or was low enough before.
  bool run(double power, std::span<const PeakWindow::Place> places, std::size_t patience) {
    if (done()) return true;
    Run run(problem_, power, places);
    for (const double share : kHeights) {
      const auto way = static_cast<double>(height_ - 1 - enough_);
      if (!run.place_all(enough_ + static_cast<Bytes>(share * way), patience, budget_)) continue;
      plan_ = run.offsets();
      height_ = height(problem_, plan_);
      if (limits_.progress) limits_.progress({height_, lower_bound(problem_), budget_.spent()});
      return true;
    }
    return false;
  }

  const Problem& problem_;
  Bytes enough_;
  const Limits& limits_;
  Budget budget_;
  Offsets& plan_;
  Bytes height_;
  PeakWindow peak_;
  std::size_t peak_in_vain_ = 0;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  if (problem.buffers.empty()) return conclude(problem, {});
  const bool strips = kStripPacking.refusal(problem).empty();
  Offsets plan = strips ? pack_strip(problem, EquallyLong::kFirstBorn)
                        : place_in_order(problem, size_order(problem), Fit::kFirst);
  const Bytes enough = std::max(lower_bound(problem), problem.capacity.value_or(0));
  const std::uint64_t nodes = improve_by_ejection(problem, enough, limits, plan);
  Outcome outcome = conclude(problem, std::move(plan));
  outcome.nodes = nodes;
  return outcome;
}

}  // namespace

std::uint64_t improve_by_ejection(const Problem& problem, Bytes enough, const Limits& limits, Offsets& plan) {
  return Ejection(problem, enough, limits, plan).improve();
}

const Strategy kEjection = {
    .name = "ejection",
    .summary =
        "Tightest gap below a height that is too low; hard buffers push easy ones out, which wait again",
    .cost = "O(overlapping buffers) for a placement; anytime",
    .guarantee = "none; never higher than strip-packing, or than first fit by size with fixed offsets",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
