#include "planner/literature/tela_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "planner/literature/tela_phases.h"
#include "planner/placing/contention.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

std::vector<Bytes> contention_of_lives(const Problem& problem) {
  const std::vector<Lifetime> sections = section_lifetimes(problem);
  const std::vector<Bytes> live = live_in_sections(problem, sections);
  std::vector<Bytes> most;
  most.reserve(sections.size());
  for (const Lifetime& life : sections)
    most.push_back(*std::max_element(live.begin() + life.begin, live.begin() + life.end));
  return most;
}

double share(auto part, auto whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void TelaSearch::Point::blame(const std::vector<BufferIndex>& others) {
  std::vector<BufferIndex> all;
  std::ranges::set_union(blamed, others, std::back_inserter(all));
  blamed = std::move(all);
}

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

TelaSearch::TelaSearch(const Problem& problem, TelaRules rules)
    : problem_(problem),
      rules_(std::move(rules)),
      bounds_(problem, rules_.propagates),
      contention_(contention_of_lives(problem)) {
  for (const Order& phase : contention_phases(problem)) {
    offers_.push_back(offers_of(problem, phase));
    movable_ += phase.size();
  }
}

bool TelaSearch::begin(Bytes capacity, const Patience& patience) {
  capacity_ = capacity;
  most_returns_ = patience.returns;
  lost_patience_ = false;
  steps_ = 0;
  moves_before_ = bounds_.moves();
  points_.assign(1, {});
  return bounds_.begin(capacity);
}

std::optional<Offsets> TelaSearch::probe(Bytes capacity, const Patience& patience, Budget& budget) {
  std::optional<Offsets> found;
  bool possible = begin(capacity, patience);
  for (std::uint64_t before = 0; possible && !points_.empty(); before = work()) {
    if (points_.size() > movable_) {
      found = bounds_.least();
      break;
    }
    step();
    lost_patience_ = lost_patience_ || work() > patience.nodes;
    possible = work() <= patience.nodes && budget.spend(work() - before);
  }
  while (!points_.empty()) drop_point();
  return found;
}

void TelaSearch::step() {
  Point& point = points_.back();
  ++steps_;
  const BufferIndex next = choose(point);
  if (next == kNobody) return step_back();
  if (point.tried.empty()) point.begun = steps_;
  point.tried.push_back(next);
  point.buffer = next;
  point.room = bounds_.room(next);
  point.mark = bounds_.mark();
  if (bounds_.place(next)) {
    points_.push_back({});
    return;
  }
  failed_ = bounds_.failed();
  point.blame(bounds_.blamed());
  take_back(point);
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
      std::find_if(order.begin(), order.end(), [this](BufferIndex i) { return !bounds_.is_placed(i); });
  return first == order.end() ? kNobody : *first;
}

void TelaSearch::take_back(Point& point) {
  if (point.buffer == kNobody) return;
  bounds_.take_back(point.buffer, point.mark);
  point.buffer = kNobody;
}

void TelaSearch::drop_point() {
  take_back(points_.back());
  points_.pop_back();
}

// Steps back to a decision that had a part in the failures of the last point. The failed buffer goes first there. What
// else had a part in them is blamed there too, should that decision have no way out either.
void TelaSearch::step_back() {
  const BufferIndex culprit = failed_;
  const std::vector<BufferIndex> blamed = std::move(points_.back().blamed);
  drop_point();
  const std::vector<std::size_t> depths = depths_to_return_to(blamed);
  const std::size_t keep = depths.empty() ? 0 : choose_return(depths) + 1;
  while (points_.size() > keep) drop_point();
  if (points_.empty()) return;
  Point& point = points_.back();
  take_back(point);
  ++point.returns;
  point.urgent = culprit;
  point.blame(blamed);
}

// Returns the blamed decisions that were not returned to too often, the latest first. Where nobody is to blame but the
// point itself, that is the decision before it: other choices failed, which is no proof.
std::vector<std::size_t> TelaSearch::depths_to_return_to(const std::vector<BufferIndex>& blamed) {
  std::vector<bool> is_blamed(problem_.buffers.size());
  for (const BufferIndex i : blamed) is_blamed[i] = true;
  std::vector<std::size_t> depths;
  bool nobody = true;
  for (std::size_t depth = points_.size(); depth-- > 0;) {
    if (!is_blamed[points_[depth].buffer]) continue;
    nobody = false;
    if (points_[depth].returns < most_returns_) {
      depths.push_back(depth);
    } else {
      lost_patience_ = true;
    }
  }
  if (nobody && !points_.empty()) depths.push_back(points_.size() - 1);
  return depths;
}

std::size_t TelaSearch::choose_return(const std::vector<std::size_t>& depths) const {
  std::vector<TelaDecision> decisions;
  for (const Point& point : points_) decisions.push_back({point.buffer, bounds_.least()[point.buffer]});
  std::vector<ReturnTarget> targets;
  for (std::size_t rank = 0; rank < depths.size(); ++rank)
    targets.push_back({depths[rank], features_of(depths[rank], rank, depths.size())});
  return depths[rules_.returns({decisions, targets})];
}

ReturnFeatures TelaSearch::features_of(std::size_t depth, std::size_t rank, std::size_t targets) const {
  const Point& point = points_[depth];
  return {share(depth, points_.size()),
          share(depth, movable_),
          std::log2(1.0 + point.returns),
          std::log2(1.0 + static_cast<double>(steps_ - point.begun)),
          share(1, rank + 1),
          share(targets, points_.size()),
          share(problem_.buffers[point.buffer].size, capacity_),
          share(point.room, capacity_),
          share(contention_[point.buffer], capacity_)};
}

}  // namespace memo::planner
