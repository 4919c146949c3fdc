#include "planner/literature/tela_search.h"

#include <algorithm>

#include "planner/literature/tela_phases.h"

namespace memo::planner {

bool TelaSearch::Point::has_tried(BufferIndex i) const {
  return std::find(tried.begin(), tried.end(), i) != tried.end();
}

TelaSearch::Offers TelaSearch::offers_of(const Problem& problem, const Order& phase) {
  const auto length = [&](BufferIndex i) { return static_cast<double>(problem.buffers[i].life.length()); };
  const auto size = [&](BufferIndex i) { return static_cast<double>(problem.buffers[i].size); };
  const auto sort = [](Order& order, auto key) {
    std::stable_sort(order.begin(), order.end(),
                     [&](BufferIndex a, BufferIndex b) { return key(a) > key(b); });
  };
  Offers by;
  by.fill(phase);
  sort(by[0], length);
  sort(by[1], size);
  sort(by[2], [&](BufferIndex i) { return length(i) * size(i); });
  return by;
}

TelaSearch::TelaSearch(const Problem& problem) : problem_(problem), placement_(problem) {
  for (const Order& phase : contention_phases(problem)) {
    offers_.push_back(offers_of(problem, phase));
    movable_ += phase.size();
  }
}

void TelaSearch::begin(Bytes capacity, const Patience& patience) {
  capacity_ = capacity;
  most_returns_ = patience.returns;
  lost_patience_ = false;
  steps_ = 0;
  looks_before_ = placement_.looks();
  points_.assign(1, {});
}

std::optional<Offsets> TelaSearch::probe(Bytes capacity, const Patience& patience, Budget& budget) {
  begin(capacity, patience);
  std::optional<Offsets> found;
  while (!points_.empty()) {
    if (points_.size() > movable_) {
      found = placement_.offsets();
      break;
    }
    const std::uint64_t before = work();
    step();
    lost_patience_ = lost_patience_ || work() > patience.nodes;
    if (work() > patience.nodes || !budget.spend(work() - before)) break;
  }
  while (!points_.empty()) drop_point();
  return found;
}

void TelaSearch::step() {
  Point& point = points_.back();
  ++steps_;
  const BufferIndex next = choose(point);
  if (next == kNobody) return step_back();
  point.tried.push_back(next);
  point.buffer = next;
  point.mark = placement_.mark();
  if (const auto failed = placement_.place(next, capacity_)) {
    failed_ = *failed;
    take_back(point);
  } else {
    points_.push_back({});
  }
}

// Returns the failed buffer, else the favourite of each order, in the first phase with unplaced buffers.
BufferIndex TelaSearch::choose(const Point& point) const {
  if (point.urgent != kNobody && !point.has_tried(point.urgent)) return point.urgent;
  const auto phase = std::find_if_not(offers_.begin(), offers_.end(),
                                      [this](const Offers& offers) { return is_done(offers); });
  if (phase == offers_.end()) return kNobody;
  for (const Order& order : *phase) {
    const BufferIndex first = favourite(order);
    if (!point.has_tried(first)) return first;
  }
  return kNobody;
}

bool TelaSearch::is_done(const Offers& offers) const {
  return favourite(offers.front()) == kNobody;
}

// Returns the first unplaced buffer of the order.
BufferIndex TelaSearch::favourite(const Order& order) const {
  const auto first =
      std::find_if(order.begin(), order.end(), [this](BufferIndex i) { return !placement_.is_placed(i); });
  return first == order.end() ? kNobody : *first;
}

void TelaSearch::take_back(Point& point) {
  if (point.buffer == kNobody) return;
  placement_.take_back(point.buffer, point.mark);
  point.buffer = kNobody;
}

void TelaSearch::drop_point() {
  take_back(points_.back());
  points_.pop_back();
}

// Steps back to the latest decision whose buffer overlaps the failed one and that was not returned to too
// often.
void TelaSearch::step_back() {
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

}  // namespace memo::planner
