#include "planner/literature/telamalloc.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "planner/placing/budget.h"
#include "planner/placing/conflicts.h"
#include "planner/placing/contention.h"
#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kDefaultNodes = 500'000;
constexpr int kMostRounds = 20;
constexpr int kLevels = 10;
constexpr BufferIndex kNobody = std::numeric_limits<BufferIndex>::max();

using Phase = std::vector<BufferIndex>;

// The effort of one probe.
struct Patience {
  std::uint64_t nodes = 5'000;
  unsigned returns = 8;  // returns to one decision

  void grow() {
    nodes *= 2;
    returns *= 2;
  }
};

// Returns the most contended section of a life; the earliest of several.
std::size_t worst_section(const std::vector<Bytes>& live, const Lifetime& life) {
  return static_cast<std::size_t>(std::max_element(live.begin() + life.begin, live.begin() + life.end) -
                                  live.begin());
}

// Returns the first section of the stretch around `section` in which at least `level` bytes are alive.
std::size_t stretch_of(const std::vector<Bytes>& live, std::size_t section, Bytes level) {
  while (section > 0 && live[section - 1] >= level) --section;
  return section;
}

// The orders in which a phase offers its buffers.
struct Offers {
  std::array<Phase, 3> by;

  Offers(const Problem& problem, const Phase& phase) {
    const auto length = [&](BufferIndex i) { return static_cast<double>(problem.buffers[i].life.length()); };
    const auto size = [&](BufferIndex i) { return static_cast<double>(problem.buffers[i].size); };
    by.fill(phase);
    const auto sort = [](Phase& order, auto key) {
      std::stable_sort(order.begin(), order.end(),
                       [&](BufferIndex a, BufferIndex b) { return key(a) > key(b); });
    };
    sort(by[0], length);
    sort(by[1], size);
    sort(by[2], [&](BufferIndex i) { return length(i) * size(i); });
  }
};

class TelaSearch {
 public:
  explicit TelaSearch(const Problem& problem)
      : problem_(problem),
        conflicts_(problem),
        placed_(problem.buffers.size()),
        lowest_(problem.buffers.size()) {
    for (const Phase& phase : contention_phases(problem)) {
      offers_.emplace_back(problem, phase);
      movable_ += phase.size();
    }
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      if (!problem.buffers[i].fixed) continue;
      placed_[i] = true;
      lowest_[i] = *problem.buffers[i].fixed;
    }
    for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
      if (!placed_[i]) lowest_[i] = lowest_gap(i);
    }
  }

  // Returns a plan no higher than `capacity`, if it finds one. Leaves the search as new.
  std::optional<Offsets> probe(Bytes capacity, const Patience& patience, Budget& budget) {
    capacity_ = capacity;
    most_returns_ = patience.returns;
    lost_patience_ = false;
    points_.assign(1, {});
    std::optional<Offsets> found;
    work_ = 0;
    while (!points_.empty()) {
      if (points_.size() > movable_) {
        found = lowest_;
        break;
      }
      const std::uint64_t before = work_;
      step();
      lost_patience_ = lost_patience_ || work_ > patience.nodes;
      if (work_ > patience.nodes || !budget.spend(work_ - before)) break;
    }
    while (!points_.empty()) drop_point();
    return found;
  }

  // Returns true if the last probe might have gone on with more patience.
  [[nodiscard]] bool lost_patience() const { return lost_patience_; }

 private:
  // A decision: what the search has tried here, what stands, and how to take it back.
  struct Point {
    std::vector<BufferIndex> tried;
    BufferIndex urgent = kNobody;  // could not be placed further down the search
    BufferIndex buffer = kNobody;
    std::size_t trail = 0;
    unsigned returns = 0;
  };
  struct Change {
    BufferIndex buffer;
    Offset before;
  };

  void step() {
    Point& point = points_.back();
    ++work_;
    const BufferIndex next = choose(point);
    if (next == kNobody) return step_back();
    point.tried.push_back(next);
    point.buffer = next;
    point.trail = trail_.size();
    if (place(next)) {
      points_.push_back({});
    } else {
      take_back(point);
    }
  }

  // Returns the failed buffer, else the favourite of each order, in the first phase with unplaced buffers.
  BufferIndex choose(const Point& point) const {
    const auto untried = [&point](BufferIndex i) {
      return std::find(point.tried.begin(), point.tried.end(), i) == point.tried.end();
    };
    if (point.urgent != kNobody && untried(point.urgent)) return point.urgent;
    for (const Offers& offers : offers_) {
      bool phase_is_done = true;
      for (const Phase& order : offers.by) {
        const auto first =
            std::find_if(order.begin(), order.end(), [this](BufferIndex i) { return !placed_[i]; });
        if (first == order.end()) continue;
        phase_is_done = false;
        if (untried(*first)) return *first;
      }
      if (!phase_is_done) return kNobody;
    }
    return kNobody;
  }

  // Places the buffer at its lowest offset. Returns false, and notes the culprit, when this or an unplaced
  // buffer no longer fits.
  bool place(BufferIndex i) {
    failed_ = i;
    if (!fits(i)) return false;
    placed_[i] = true;
    const Offset bottom = lowest_[i];
    const Offset top = bottom + problem_.buffers[i].size;
    for (const BufferIndex other : conflicts_.of(i)) {
      if (placed_[other] || lowest_[other] >= top) continue;
      if (lowest_[other] + problem_.buffers[other].size <= bottom) continue;
      trail_.push_back({other, lowest_[other]});
      lowest_[other] = lowest_gap(other);
      failed_ = other;
      if (!fits(other)) return false;
    }
    return true;
  }

  [[nodiscard]] bool fits(BufferIndex i) const { return lowest_[i] + problem_.buffers[i].size <= capacity_; }

  // Returns the lowest gap: first fit among the placed neighbours. Raises the buffer past every neighbour that
  // it hits, until it hits none.
  Offset lowest_gap(BufferIndex i) {
    ++work_;
    const Buffer& buffer = problem_.buffers[i];
    Offset candidate = 0;
    for (Offset before = -1; before != candidate;) {
      before = candidate;
      Offset next = candidate;
      for (const BufferIndex other : conflicts_.of(i)) {
        if (!placed_[other] || lowest_[other] >= candidate + buffer.size) continue;
        next = std::max(next, lowest_[other] + problem_.buffers[other].size);
      }
      candidate = align_up(next, buffer.alignment);
    }
    return candidate;
  }

  void take_back(Point& point) {
    if (point.buffer == kNobody) return;
    for (; trail_.size() > point.trail; trail_.pop_back())
      lowest_[trail_.back().buffer] = trail_.back().before;
    placed_[point.buffer] = false;
    point.buffer = kNobody;
  }

  void drop_point() {
    take_back(points_.back());
    points_.pop_back();
  }

  // Steps back to the latest decision whose buffer overlaps the failed one and that was not returned to too
  // often.
  void step_back() {
    const BufferIndex culprit = failed_;
    points_.pop_back();
    while (!points_.empty()) {
      Point& point = points_.back();
      const bool involved = problem_.buffers[point.buffer].life.overlaps(problem_.buffers[culprit].life);
      take_back(point);
      if (involved && ++point.returns <= most_returns_) {
        point.urgent = culprit;
        return;
      }
      lost_patience_ = lost_patience_ || involved;
      points_.pop_back();
    }
  }

  const Problem& problem_;
  ConflictLists conflicts_;
  std::vector<Offers> offers_;
  std::size_t movable_ = 0;
  Bytes capacity_ = 0;
  std::uint64_t work_ = 0;  // nodes
  unsigned most_returns_ = 0;
  bool lost_patience_ = false;
  std::vector<bool> placed_;
  Offsets lowest_;  // the offset of a placed buffer; the lowest possible one of the others
  std::vector<Point> points_;
  std::vector<Change> trail_;
  BufferIndex failed_ = kNobody;
};

// Bisects heights until the limits run out.
class Minimiser {
 public:
  Minimiser(const Problem& problem, const Limits& limits)
      : problem_(problem),
        limits_(limits),
        budget_(limits, kDefaultNodes),
        search_(problem),
        bound_(lower_bound(problem)) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    Budget unlimited({}, kAll);
    best_ = *search_.probe(std::numeric_limits<Bytes>::max() / 2, {.nodes = kAll}, unlimited);
    height_ = height(problem, best_);
  }

  Outcome minimise() {
    Patience patience;
    bool more_to_gain = true;
    for (int round = 0; round < kMostRounds && more_to_gain; ++round, patience.grow()) {
      more_to_gain = bisect(patience);
    }
    Outcome outcome = conclude(problem_, std::move(best_));
    outcome.nodes = budget_.spent();
    return outcome;
  }

 private:
  // Tries the bound first, which real traces often reach, then halves of what is left. Returns false when more
  // patience would change nothing.
  bool bisect(const Patience& patience) {
    bool lost_patience = false;
    Bytes low = bound_;
    for (Bytes target = low; low < height_ && !budget_.exhausted(); target = low + (height_ - low) / 2) {
      if (!lower_to(target, patience)) low = target + 1;
      lost_patience = lost_patience || search_.lost_patience();
    }
    return lost_patience && height_ > bound_ && !budget_.exhausted();
  }

  bool lower_to(Bytes target, const Patience& patience) {
    std::optional<Offsets> found = search_.probe(std::min(target, height_ - 1), patience, budget_);
    if (!found) return false;
    best_ = *std::move(found);
    height_ = height(problem_, best_);
    if (limits_.progress) limits_.progress({height_, bound_, budget_.spent()});
    return true;
  }

  const Problem& problem_;
  const Limits& limits_;
  Budget budget_;
  TelaSearch search_;
  Bytes bound_;
  Offsets best_;
  Bytes height_ = 0;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  return Minimiser(problem, limits).minimise();
}

}  // namespace

std::vector<std::vector<BufferIndex>> contention_phases(const Problem& problem) {
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  const std::vector<Bytes> live = live_in_sections(problem, sections);
  const Bytes peak = *std::max_element(live.begin(), live.end());
  // Sorted by level from the top, then by the moment at which the stretch begins.
  std::map<std::pair<Bytes, std::size_t>, Phase> phases;
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].fixed) continue;
    const std::size_t worst = worst_section(live, sections[i]);
    const Bytes below_peak = (peak - live[worst]) / (peak / kLevels + 1);
    const Bytes level = peak - (below_peak + 1) * (peak / kLevels + 1) + 1;
    phases[{below_peak, stretch_of(live, worst, level)}].push_back(i);
  }
  std::vector<Phase> ordered;
  ordered.reserve(phases.size());
  for (auto& [key, phase] : phases) ordered.push_back(std::move(phase));
  return ordered;
}

const Strategy kTelamalloc = {
    .name = "telamalloc",
    .summary = "Contention phases, three favourites at a time, and returns to the decision at fault",
    .cost = "O(neighbours^2) for a placement at worst; anytime",
    .guarantee = "none; gives up decisions it returned to too often",
    .exact = false,
    .refusal = refuses_many_conflicts,
    .solve = solve,
};

}  // namespace memo::planner
