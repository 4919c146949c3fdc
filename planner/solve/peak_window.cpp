#include "planner/solve/peak_window.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "planner/placing/contention.h"
#include "planner/placing/placed_buffers.h"
#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"
#include "planner/solve/canonical.h"

namespace memo::planner {
namespace {

constexpr std::size_t kMostInPart = 400;  // buffers that begin or end in the window

Bytes largest_alignment(const Problem& problem) {
  Bytes largest = 1;
  for (const Buffer& buffer : problem.buffers) largest = std::max(largest, buffer.alignment);
  return largest;
}

bool is_packable(const Problem& problem) {
  const Bytes largest = largest_alignment(problem);
  return std::all_of(problem.buffers.begin(), problem.buffers.end(),
                     [&](const Buffer& buffer) { return !buffer.fixed && largest % buffer.alignment == 0; });
}

class Packing {
 public:
  explicit Packing(const Problem& problem) : problem_(problem), sections_(section_lifetimes(problem)) {
    const std::vector<Bytes> live = live_in_sections(problem, sections_);
    count_ = static_cast<Time>(live.size()) - 1;  // the last is the time after all sections
    peak_ = std::max_element(live.begin(), live.end()) - live.begin();
  }

  PeakWindow pack(Bytes height, const Limits& limits) {
    window_ = widest_window();
    split();
    const Outcome outcome = kCanonical.solve(searched(height), limits);
    PeakWindow result{.places = {}, .nodes = outcome.nodes};
    if (outcome.offsets.empty()) return result;
    for (std::size_t i = 0; i < in_part_.size(); ++i)
      result.places.push_back({in_part_[i], outcome.offsets[i]});
    const std::vector<Offset> stacked = stack();
    for (std::size_t i = 0; i < through_.size(); ++i)
      result.places.push_back({through_[i], outcome.offsets.back() + stacked[i]});
    add_neighbours(height, result.places);
    return result;
  }

 private:
  [[nodiscard]] Lifetime window_of(Time half) const {
    return {std::max<Time>(peak_ - half, 0), std::min(peak_ + half + 1, count_)};
  }
  [[nodiscard]] static bool lives_through(const Lifetime& life, const Lifetime& window) {
    return life.begin <= window.begin && life.end >= window.end;
  }
  [[nodiscard]] std::size_t in_part_of(const Lifetime& window) const {
    return static_cast<std::size_t>(std::count_if(
        sections_.begin(), sections_.end(),
        [&](const Lifetime& life) { return life.overlaps(window) && !lives_through(life, window); }));
  }

  // Returns the widest window that is not too much for the search, or nearly that.
  [[nodiscard]] Lifetime widest_window() const {
    Time half = 0;
    while (half < count_) {
      const Time wider = half + half / 4 + 1;
      if (in_part_of(window_of(wider)) > kMostInPart) break;
      half = wider;
    }
    return window_of(half);
  }

  void split() {
    for (BufferIndex i = 0; i < sections_.size(); ++i) {
      if (!sections_[i].overlaps(window_)) continue;
      (lives_through(sections_[i], window_) ? through_ : in_part_).push_back(i);
    }
    put_in_order();
  }

  // Sorts those that live through the window: from the last born to the first, then from the last to die to the first. Each
  // belongs to the side of the peak on which it ends sooner.
  void put_in_order() {
    const auto born_late = [&](BufferIndex i) {
      return peak_ - sections_[i].begin < sections_[i].end - 1 - peak_;
    };
    const auto middle = std::stable_partition(through_.begin(), through_.end(), born_late);
    std::stable_sort(through_.begin(), middle,
                     [&](BufferIndex a, BufferIndex b) { return sections_[a].begin > sections_[b].begin; });
    std::stable_sort(middle, through_.end(),
                     [&](BufferIndex a, BufferIndex b) { return sections_[a].end > sections_[b].end; });
  }

  // Returns where each of them begins in the block.
  [[nodiscard]] std::vector<Offset> stack() const {
    std::vector<Offset> begins;
    Offset top = 0;
    for (const BufferIndex i : through_) {
      begins.push_back(align_up(top, problem_.buffers[i].alignment));
      top = begins.back() + problem_.buffers[i].size;
    }
    return begins;
  }

  // Returns what the search gets: those that live in a part of the window, and last the block.
  [[nodiscard]] Problem searched(Bytes height) const {
    Problem problem{.buffers = {}, .capacity = height};
    for (const BufferIndex i : in_part_) {
      problem.buffers.push_back(problem_.buffers[i]);
      problem.buffers.back().life = {std::max(sections_[i].begin, window_.begin),
                                     std::min(sections_[i].end, window_.end)};
    }
    if (through_.empty()) return problem;
    const Bytes size = stack().back() + problem_.buffers[through_.back()].size;
    problem.buffers.push_back(
        {.life = window_, .size = size, .alignment = largest_alignment(problem_), .fixed = {}});
    return problem;
  }

  [[nodiscard]] Time distance(BufferIndex i) const {
    return std::max(sections_[i].begin - window_.end, window_.begin - sections_[i].end) + 1;
  }

  // Returns those beside the window that live longer than the window and their way to it together, the nearest first.
  [[nodiscard]] std::vector<BufferIndex> neighbours() const {
    std::vector<BufferIndex> near;
    for (BufferIndex i = 0; i < sections_.size(); ++i) {
      if (sections_[i].overlaps(window_)) continue;
      if (sections_[i].length() > distance(i) + window_.length()) near.push_back(i);
    }
    std::stable_sort(near.begin(), near.end(),
                     [&](BufferIndex a, BufferIndex b) { return distance(a) < distance(b); });
    return near;
  }

  void add_neighbours(Bytes height, std::vector<PeakWindow::Place>& places) const {
    PlacedBuffers placed(problem_);
    for (const PeakWindow::Place& place : places) placed.place(place.buffer, place.offset);
    for (const BufferIndex i : neighbours()) {
      const std::optional<Offset> offset = place_beside(i, placed.alive_with(i), height);
      if (!offset) continue;
      placed.place(i, *offset);
      places.push_back({i, *offset});
    }
  }

  // Returns how long the buffer lives on from the window's side.
  [[nodiscard]] Time stay(BufferIndex i, bool after) const {
    return after ? sections_[i].end : -sections_[i].begin;
  }

  // Returns a place in the tightest gap, at the neighbour that stays longer. So what the other one leaves joins the gap.
  [[nodiscard]] std::optional<Offset> place_beside(BufferIndex i,
                                                   std::span<const PlacedBuffers::Extent> others,
                                                   Bytes height) const {
    constexpr Time kForEver = std::numeric_limits<Time>::max();
    const Buffer& buffer = problem_.buffers[i];
    const bool after = sections_[i].begin >= window_.end;
    std::optional<Offset> best;
    Bytes least = std::numeric_limits<Bytes>::max();
    Offset top = 0;
    Time below = kForEver;
    const auto look = [&](Offset end, Time above) {
      const Offset low = align_up(top, buffer.alignment);
      if (end - low < buffer.size || end - low >= least) return;
      least = end - low;
      best = above > below ? (end - buffer.size) / buffer.alignment * buffer.alignment : low;
    };
    for (const PlacedBuffers::Extent& other : others) {
      look(std::min(other.begin, height), stay(other.buffer, after));
      if (other.end <= top) continue;
      top = other.end;
      below = stay(other.buffer, after);
    }
    look(height, kForEver);
    return best;
  }

  const Problem& problem_;
  std::vector<Lifetime> sections_;
  Time count_ = 0;
  Time peak_ = 0;
  Lifetime window_;
  std::vector<BufferIndex> through_;
  std::vector<BufferIndex> in_part_;
};

}  // namespace

PeakWindow pack_peak_window(const Problem& problem, Bytes height, const Limits& limits) {
  if (problem.buffers.empty() || !is_packable(problem)) return {};
  return Packing(problem).pack(height, limits);
}

}  // namespace memo::planner
