#include "planner/literature/tela_bounds.h"

#include <algorithm>

#include "planner/problem/bounds.h"

namespace memo::planner {

TelaBounds::TelaBounds(const Problem& problem, bool propagates)
    : problem_(problem),
      conflicts_(problem),
      propagates_(propagates),
      placed_(problem.buffers.size()),
      is_awake_(problem.buffers.size()) {
  for (BufferIndex i = 0; i < problem.buffers.size(); ++i) placed_[i] = problem.buffers[i].fixed.has_value();
}

bool TelaBounds::begin(Bytes capacity) {
  set_out(capacity);
  bool possible = true;
  for (BufferIndex i = 0; i < problem_.buffers.size(); ++i) {
    possible = possible && room(i) >= 0;
    wake(i);
  }
  possible = possible && propagate();
  put_to_sleep();
  trail_.clear();
  for (std::vector<Entry>& entries : latest_) std::ranges::fill(entries, Entry{0});
  return possible;
}

// Gives each buffer all offsets below the capacity.
void TelaBounds::set_out(Bytes capacity) {
  const std::size_t count = problem_.buffers.size();
  bounds_.fill(Offsets(count));
  latest_.fill(std::vector<Entry>(count));
  for (BufferIndex i = 0; i < count; ++i) {
    const Buffer& buffer = problem_.buffers[i];
    const Offset greatest = capacity - buffer.size;
    bounds_[kGreatest][i] = greatest < 0 ? -1 : greatest / buffer.alignment * buffer.alignment;
    if (!buffer.fixed) continue;
    bounds_[kLeast][i] = *buffer.fixed;
    bounds_[kGreatest][i] = std::min(*buffer.fixed, greatest);
  }
}

bool TelaBounds::place(BufferIndex i) {
  const Offset offset = least()[i];
  placed_[i] = true;
  for (const Side side : {kLeast, kGreatest}) move(side, i, offset, true, {});
  const bool possible = propagate();
  put_to_sleep();
  return possible;
}

void TelaBounds::take_back(BufferIndex i, std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change& change = trail_.back();
    bounds_[change.side][change.buffer] = change.before;
    latest_[change.side][change.buffer] = change.change_before;
  }
  placed_[i] = false;
}

void TelaBounds::move(Side side, BufferIndex i, Offset bound, bool placement, const Causes& causes) {
  trail_.push_back({i, side, placement, bounds_[side][i], latest_[side][i], causes});
  bounds_[side][i] = bound;
  latest_[side][i] = static_cast<Entry>(trail_.size());
  ++moves_;
  wake(i);
}

void TelaBounds::wake(BufferIndex i) {
  if (is_awake_[i]) return;
  is_awake_[i] = true;
  awake_.push_back(i);
}

void TelaBounds::put_to_sleep() {
  for (const BufferIndex i : awake_) is_awake_[i] = false;
  awake_.clear();
}

bool TelaBounds::propagate() {
  while (!awake_.empty()) {
    const BufferIndex i = awake_.back();
    awake_.pop_back();
    is_awake_[i] = false;
    for (const BufferIndex other : conflicts_.of(i)) {
      if (!relate(i, other)) return false;
    }
  }
  return true;
}

bool TelaBounds::can_lie_below(BufferIndex lower, BufferIndex upper) const {
  return bounds_[kLeast][lower] + size(lower) <= bounds_[kGreatest][upper];
}

// Orders the two buffers if only one order is possible. Returns false if none is, or a buffer has no offset left.
bool TelaBounds::relate(BufferIndex a, BufferIndex b) {
  if (!propagates_ && !placed_[a] && !placed_[b]) return true;
  const bool a_below = can_lie_below(a, b);
  const bool b_below = can_lie_below(b, a);
  if (a_below && b_below) return true;
  if (a_below) return order(a, b);
  if (b_below) return order(b, a);
  const BufferIndex movable = placed_[a] ? b : a;
  const BufferIndex other = movable == a ? b : a;
  return fail(movable, {cause(kLeast, other), cause(kGreatest, other), 0});
}

bool TelaBounds::order(BufferIndex lower, BufferIndex upper) {
  // The other order is impossible by the least offset of the one and the greatest of the other.
  const Entry above = cause(kLeast, upper);
  const Entry below = cause(kGreatest, lower);
  const Offset begin = align_up(bounds_[kLeast][lower] + size(lower), problem_.buffers[upper].alignment);
  if (begin > bounds_[kLeast][upper]) {
    const Causes causes{above, below, cause(kLeast, lower)};
    if (begin > bounds_[kGreatest][upper]) return fail(upper, causes);
    move(kLeast, upper, begin, false, causes);
  }
  const Bytes alignment = problem_.buffers[lower].alignment;
  const Offset end = bounds_[kGreatest][upper] - size(lower);
  if (end < bounds_[kGreatest][lower]) {
    const Causes causes{above, below, cause(kGreatest, upper)};
    if (end < 0 || end / alignment * alignment < bounds_[kLeast][lower]) return fail(lower, causes);
    move(kGreatest, lower, end / alignment * alignment, false, causes);
  }
  return true;
}

// Collects the placements that stand at the ends of all chains of causes. Always returns false.
bool TelaBounds::fail(BufferIndex i, const Causes& causes) {
  failed_ = i;
  blamed_.clear();
  std::vector<bool> seen(trail_.size() + 1);
  seen[0] = true;
  std::vector<Entry> open(causes.begin(), causes.end());
  open.push_back(cause(kLeast, i));
  open.push_back(cause(kGreatest, i));
  while (!open.empty()) {
    const Entry entry = open.back();
    open.pop_back();
    if (seen[entry]) continue;
    seen[entry] = true;
    const Change& change = trail_[entry - 1];
    if (change.placement) {
      blamed_.push_back(change.buffer);
    } else {
      open.insert(open.end(), change.causes.begin(), change.causes.end());
    }
  }
  std::ranges::sort(blamed_);
  blamed_.erase(std::unique(blamed_.begin(), blamed_.end()), blamed_.end());
  return false;
}

}  // namespace memo::planner
