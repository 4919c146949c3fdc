#include "planner/solve/packing_state.h"

#include <algorithm>

#include "planner/problem/bounds.h"

namespace memo::planner {

PackingState::PackingState(const SearchProblem& problem, const Rules& rules)
    : problem_(problem),
      rules_(rules),
      level_(problem.size()),
      offset_(problem.size()),
      refused_(problem.size()),
      support_(problem.size(), SearchProblem::kNobody),
      moved_in_(problem.size()),
      fingerprint_(problem.size()),
      left_(problem.sections()),
      floor_(problem.sections()),
      lowest_(problem.sections()),
      crossing_(problem.sections() + 1),
      conflicts_(problem.sections()) {
  rules_.lifting = rules.lifting && rules.canonical_order;
}

void PackingState::reset(Bytes capacity) {
  capacity_ = capacity;
  roof_ = align_up(capacity, problem_.granule());
  trail_.clear();
  refused_list_.clear();
  std::fill(refused_.begin(), refused_.end(), std::uint8_t{0});
  std::fill(crossing_.begin(), crossing_.end(), 0u);
  for (BufferIndex i = 0; i < problem_.size(); ++i) {
    const SearchProblem::Item& item = problem_[i];
    level_[i] = std::max<Offset>(item.fixed, 0);
    update_fingerprint(i);
    for (Section s = item.first + 1; s < item.last; ++s) ++crossing_[s];
  }
  for (Section s = 0; s < problem_.sections(); ++s) {
    left_[s] = problem_.section_sum(s);
    lowest_[s] = *std::min_element(problem_.members(s).begin(), problem_.members(s).end(),
                                   [&](BufferIndex a, BufferIndex b) { return level_[a] < level_[b]; });
    floor_[s] = level_[lowest_[s]];
  }
}

bool PackingState::place(BufferIndex buffer) {
  begin_change();
  const Offset offset = level_[buffer];
  offset_[buffer] = offset;
  trail_.push_back({offset, 0, buffer, Change::kPlacement});
  level_[buffer] = kSettled;
  fingerprint_[buffer] = {};
  leave_sections(buffer);
  touch(buffer);
  if (!rules_.canonical_order) forget_refusals();
  return raise_neighbours(buffer, offset + problem_[buffer].size) && finish_change();
}

bool PackingState::refuse(BufferIndex buffer) {
  if (problem_[buffer].fixed >= 0 && rules_.canonical_order) return false;
  begin_change();
  set_refused(buffer, true);
  support_[buffer] = SearchProblem::kNobody;
  refused_list_.push_back(buffer);
  return finish_change();
}

void PackingState::undo_to(const Mark& mark) {
  while (trail_.size() > mark.trail) {
    undo(trail_.back());
    trail_.pop_back();
  }
  refused_list_.resize(mark.refused);
}

void PackingState::undo(const Entry& entry) {
  switch (entry.change) {
    case Change::kLevel:
      level_[entry.index] = entry.before;
      update_fingerprint(entry.index);
      break;
    case Change::kPlacement:
      level_[entry.index] = entry.before;
      update_fingerprint(entry.index);
      return_to_sections(entry.index);
      break;
    case Change::kRefusal:
      refused_[entry.index] ^= 1u;
      update_fingerprint(entry.index);
      break;
    case Change::kFloor:
      floor_[entry.index] = entry.before;
      lowest_[entry.index] = entry.lowest;
      break;
  }
}

bool PackingState::has_unplaced_neighbour(BufferIndex buffer) const {
  const auto neighbours = problem_.neighbours(buffer);
  return std::any_of(neighbours.begin(), neighbours.end(), [&](BufferIndex other) { return !placed(other); });
}

bool PackingState::waits_for_twin(BufferIndex buffer) const {
  const BufferIndex twin = problem_[buffer].twin;
  return rules_.symmetry && twin != SearchProblem::kNobody && !placed(twin);
}

Bytes PackingState::slack(BufferIndex buffer) const {
  Bytes least = kSettled;
  for (Section s = problem_[buffer].first; s < problem_[buffer].last; ++s) {
    if (floor_[s] == level_[buffer]) least = std::min(least, roof_ - floor_[s] - left_[s]);
  }
  return least;
}

Fingerprint PackingState::fingerprint(Section begin, Section end) const {
  Fingerprint all;
  const BufferIndex last = problem_.first_born_in(end);
  for (BufferIndex i = problem_.first_born_in(begin); i < last; ++i) all ^= fingerprint_[i];
  return all;
}

void PackingState::update_fingerprint(BufferIndex buffer) {
  const auto where = static_cast<std::uint64_t>(level_[buffer]) * 2 + refused_[buffer];
  fingerprint_[buffer] = fingerprint_of(where, buffer);
}

void PackingState::begin_change() {
  ++change_;
  touched_begin_ = problem_.sections();
  touched_end_ = 0;
}

void PackingState::touch(BufferIndex buffer) {
  moved_in_[buffer] = change_;
  touched_begin_ = std::min(touched_begin_, problem_[buffer].first);
  touched_end_ = std::max(touched_end_, problem_[buffer].last);
}

bool PackingState::finish_change() {
  return (!rules_.lifting || lift_refused()) && refresh_sections();
}

bool PackingState::raise_neighbours(BufferIndex buffer, Offset top) {
  for (const BufferIndex other : problem_.neighbours(buffer)) {
    const Bytes alignment = problem_[other].alignment;
    if (level_[other] >= top + alignment) continue;  // settled neighbours included
    const Offset rest = align_up(top, alignment);
    if (level_[other] > rest) continue;
    if (refused_[other]) set_refused(other, false);
    if (level_[other] < rest && !raise(other, rest)) return false;
  }
  return true;
}

bool PackingState::raise(BufferIndex buffer, Offset level) {
  if (problem_[buffer].fixed >= 0 || level + problem_[buffer].size > capacity_) return false;
  set_level(buffer, level);
  return true;
}

void PackingState::set_level(BufferIndex buffer, Offset level) {
  trail_.push_back({level_[buffer], 0, buffer, Change::kLevel});
  level_[buffer] = level;
  update_fingerprint(buffer);
  touch(buffer);
}

void PackingState::set_refused(BufferIndex buffer, bool refused) {
  trail_.push_back({0, 0, buffer, Change::kRefusal});
  refused_[buffer] = refused;
  update_fingerprint(buffer);
}

void PackingState::forget_refusals() {
  for (const BufferIndex buffer : refused_list_) {
    if (refused_[buffer] && !placed(buffer)) set_refused(buffer, false);
  }
}

// Raises the refused buffers. Lifting one may lift another that was to rest on it. Two that were to rest on
// each other climb in steps as small as their sizes, so this stops after a few rounds; every level on the way
// is a valid one.
bool PackingState::lift_refused() {
  constexpr int kRounds = 4;
  bool moved = true;
  for (int round = 0; moved && round < kRounds; ++round) {
    moved = false;
    for (std::size_t i = 0; i < refused_list_.size(); ++i) {
      const BufferIndex buffer = refused_list_[i];
      if (refused_[buffer] && !placed(buffer) && !lift(buffer, moved)) return false;
    }
  }
  return true;
}

bool PackingState::lift(BufferIndex buffer, bool& moved) {
  const BufferIndex support = support_[buffer];
  if (support != SearchProblem::kNobody && moved_in_[support] != change_) return true;
  Offset least = kSettled;
  for (const BufferIndex other : problem_.neighbours(buffer)) {
    if (level_[other] + problem_[other].size >= least) continue;
    least = level_[other] + problem_[other].size;
    support_[buffer] = other;
  }
  if (least == kSettled) return false;
  const Offset level = align_up(least, problem_[buffer].alignment);
  if (level <= level_[buffer]) return true;
  moved = true;
  return raise(buffer, level);
}

bool PackingState::refresh_sections() {
  for (Section s = touched_begin_; s < touched_end_; ++s) {
    if (moved_in_[lowest_[s]] == change_ && !refresh(s)) return false;
  }
  return true;
}

bool PackingState::refresh(Section section) {
  const Entry before{floor_[section], lowest_[section], section, Change::kFloor};
  Offset least = kSettled;
  for (const BufferIndex member : problem_.members(section)) {
    if (level_[member] >= least) continue;
    least = level_[member];
    lowest_[section] = member;
  }
  floor_[section] = least;
  trail_.push_back(before);
  if (least == kSettled || !rules_.section_inference || least + left_[section] <= roof_) return true;
  ++conflicts_[section];
  return false;
}

void PackingState::leave_sections(BufferIndex buffer) {
  const SearchProblem::Item& item = problem_[buffer];
  for (Section s = item.first; s < item.last; ++s) left_[s] -= item.padded;
  for (Section s = item.first + 1; s < item.last; ++s) --crossing_[s];
}

void PackingState::return_to_sections(BufferIndex buffer) {
  const SearchProblem::Item& item = problem_[buffer];
  for (Section s = item.first; s < item.last; ++s) left_[s] += item.padded;
  for (Section s = item.first + 1; s < item.last; ++s) ++crossing_[s];
}

}  // namespace memo::planner
