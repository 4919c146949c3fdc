#include "planner/placing/occupancy.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "planner/placing/radix_sort.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

constexpr Offset kOpen = std::numeric_limits<Offset>::max();

// Returns the births, which are moments enough: two lifetimes overlap exactly when the later birth lies in
// both.
std::vector<Time> sorted_births(const Problem& problem) {
  std::vector<Time> births;
  births.reserve(problem.buffers.size());
  for (const Buffer& buffer : problem.buffers) births.push_back(buffer.life.begin);
  std::sort(births.begin(), births.end());
  births.erase(std::unique(births.begin(), births.end()), births.end());
  return births;
}

}  // namespace

Occupancy::Occupancy(const Problem& problem) {
  const std::vector<Time> births = sorted_births(problem);
  const auto rank = [&births](Time time) {
    return static_cast<Node>(std::lower_bound(births.begin(), births.end(), time) - births.begin());
  };
  leaves_ = std::bit_ceil(static_cast<Node>(std::max<std::size_t>(births.size(), 1)));
  levels_ = static_cast<unsigned>(std::countr_zero(leaves_));
  lives_.reserve(problem.buffers.size());
  for (const Buffer& buffer : problem.buffers) {
    lives_.push_back({rank(buffer.life.begin), rank(buffer.life.end)});
  }
  covering_.resize(std::size_t{leaves_} * 2);
  touched_.resize(std::size_t{leaves_} * 2);
}

template <typename Whole, typename Part>
void Occupancy::visit(const Moments& life, Whole whole, Part part) const {
  Node low = leaves_ + life.begin;
  Node high = leaves_ + life.end;
  for (; low < high; low /= 2, high /= 2) {
    if (low % 2 == 1) whole(low++);
    if (high % 2 == 1) whole(--high);
  }
  const Node first = leaves_ + life.begin;
  const Node last = leaves_ + life.end - 1;
  const auto inside = [&](Node node, unsigned level) {
    return (node << level) >= first && ((node + 1) << level) - 1 <= last;
  };
  for (unsigned level = 1; level <= levels_; ++level) {
    const Node left = first >> level;
    const Node right = last >> level;
    if (!inside(left, level)) part(left);
    if (left != right && !inside(right, level)) part(right);
  }
}

// Replaces all intervals that overlap or touch `added` by one interval.
void Occupancy::insert(IntervalSet& set, Interval added) {
  const auto first =
      std::partition_point(set.begin(), set.end(), [&](const Interval& i) { return i.end < added.begin; });
  auto last = first;
  for (; last != set.end() && last->begin <= added.end; ++last) {
    added = {std::min(added.begin, last->begin), std::max(added.end, last->end)};
  }
  if (first == last) {
    set.insert(first, added);
  } else {
    *first = added;
    set.erase(first + 1, last);
  }
}

void Occupancy::occupy(BufferIndex buffer, Offset offset, Bytes size) {
  const Interval added{offset, offset + size};
  const auto touch = [&](Node node) {
    if (touched_[node].empty()) used_.push_back(node);
    insert(touched_[node], added);
  };
  const auto cover = [&](Node node) {
    touch(node);
    insert(covering_[node], added);
  };
  visit(lives_[buffer], cover, touch);
}

// Moves the candidate past every interval of this set that it hits. Returns true if it moved.
bool Occupancy::raise(Cursor& cursor, Offset& candidate, Bytes size, Bytes alignment) {
  bool moved = false;
  while (true) {
    cursor.next = std::partition_point(cursor.next, cursor.end,
                                       [&](const Interval& interval) { return interval.end <= candidate; });
    if (cursor.next == cursor.end || cursor.next->begin >= candidate + size) return moved;
    candidate = align_up(cursor.next->end, alignment);
    moved = true;
  }
}

// Leaves in cursors_ all sets with intervals that a buffer of this lifetime could hit.
void Occupancy::consult_sets_of(BufferIndex buffer) const {
  cursors_.clear();
  const auto consult = [this](const IntervalSet& set) {
    if (!set.empty()) cursors_.push_back({set.data(), set.data() + set.size()});
  };
  visit(
      lives_[buffer], [&](Node node) { consult(touched_[node]); },
      [&](Node node) { consult(covering_[node]); });
}

// Returns the lowest place from the candidate on that hits no interval of the consulted sets.
Offset Occupancy::next_gap(Offset candidate, Bytes size, Bytes alignment) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (Cursor& cursor : cursors_) moved |= raise(cursor, candidate, size, alignment);
  }
  return candidate;
}

Offset Occupancy::lowest_gap(BufferIndex buffer, Bytes size, Bytes alignment) const {
  consult_sets_of(buffer);
  return next_gap(0, size, alignment);
}

// Sorts the intervals of all sets once: asking each set for its next interval at each gap takes several times as long.
Offset Occupancy::tightest_gap(BufferIndex buffer, Bytes size, Bytes alignment) const {
  consult_sets_of(buffer);
  passed_.clear();
  for (const Cursor& cursor : cursors_) passed_.insert(passed_.end(), cursor.next, cursor.end);
  radix_sort(passed_, spare_, [](const Interval& interval) { return interval.begin; });
  Offset best = -1;
  Bytes least_waste = kOpen;
  Offset top = 0;
  for (const Interval& interval : passed_) {
    const Offset candidate = align_up(top, alignment);
    const Bytes waste = interval.begin - candidate - size;
    if (waste >= 0 && waste < least_waste) {
      best = candidate;
      least_waste = waste;
    }
    top = std::max(top, interval.end);
  }
  return best < 0 ? align_up(top, alignment) : best;
}

bool Occupancy::is_free(BufferIndex buffer, Offset offset, Bytes size) const {
  consult_sets_of(buffer);
  return std::none_of(cursors_.begin(), cursors_.end(), [&](Cursor cursor) {
    Offset candidate = offset;
    return raise(cursor, candidate, size, 1);
  });
}

void Occupancy::clear() {
  for (const Node node : used_) {
    touched_[node].clear();
    covering_[node].clear();
  }
  used_.clear();
}

}  // namespace memo::planner
