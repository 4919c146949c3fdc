#include "planner/solve/canonical_search.h"

#include <algorithm>

namespace memo::planner {

CanonicalSearch::CanonicalSearch(const SearchProblem& problem, const Rules& rules, std::size_t most_refuted)
    : problem_(problem),
      rules_(rules),
      state_(problem, rules),
      refuted_(most_refuted * 2),
      conflicts_before_(problem.sections() + 1) {}

CanonicalSearch::Verdict CanonicalSearch::dive(const Dive& dive, const Stop& stop) {
  if (!dive.ordering.unbiased) return search(dive, stop);
  const std::vector<std::uint64_t> before = state_.conflicts();
  state_.set_conflicts(std::vector<std::uint64_t>(before.size()));
  const Verdict verdict = search(dive, stop);
  std::vector<std::uint64_t> sum = state_.conflicts();
  std::transform(sum.begin(), sum.end(), before.begin(), sum.begin(), std::plus<>());
  state_.set_conflicts(sum);
  return verdict;
}

CanonicalSearch::Verdict CanonicalSearch::search(const Dive& dive, const Stop& stop) {
  constexpr std::uint64_t kNodesBetweenLooks = 256;
  if (!each_fits(dive.capacity)) return Verdict::kExhausted;
  start(dive);
  if (!set_goals({0, problem_.sections(), kNone, kNone, {}}, kNone)) return Verdict::kExhausted;
  while (goal_ != kNone) {
    const BufferIndex buffer = choose(goals_[goal_]);
    if (buffer == SearchProblem::kNobody) {
      if (!give_up_goal() || !retreat()) return Verdict::kExhausted;
      continue;
    }
    if (nodes_ == dive.nodes) return Verdict::kLimit;
    if (++nodes_ % kNodesBetweenLooks == 0 && stop()) return Verdict::kStopped;
    if (!place(buffer) && !retreat()) return Verdict::kExhausted;
  }
  return Verdict::kSolved;
}

// Returns true if each buffer fits at the level that a search starts from. The search checks each later level
// itself.
bool CanonicalSearch::each_fits(Bytes capacity) const {
  for (BufferIndex i = 0; i < problem_.size(); ++i) {
    if (std::max<Offset>(problem_[i].fixed, 0) + problem_[i].size > capacity) return false;
  }
  return true;
}

void CanonicalSearch::start(const Dive& dive) {
  state_.reset(dive.capacity);
  context_ = fingerprint_of(static_cast<std::uint64_t>(dive.capacity), ~std::uint64_t{0});
  tie_break_ = dive.ordering.tie_break;
  rank_ = ranks_of(problem_, dive.ordering.ranking, dive.seed);
  learn_conflicts();
  frames_.clear();
  goals_.clear();
  goal_ = kNone;
  nodes_ = 0;
}

Offsets CanonicalSearch::offsets() const {
  Offsets offsets(problem_.size());
  for (BufferIndex i = 0; i < problem_.size(); ++i) offsets[problem_[i].original] = state_.offset(i);
  return offsets;
}

// Returns the lowest open buffer that is not dominated; of several, the first by tie-break and rank.
BufferIndex CanonicalSearch::choose(const Goal& goal) {
  const BufferIndex begin = problem_.first_born_in(goal.begin);
  const BufferIndex end = problem_.first_born_in(goal.end);
  Offset least_end = PackingState::kSettled;
  if (rules_.dominance) {
    for (BufferIndex i = begin; i < end; ++i)
      least_end = std::min(least_end, state_.level(i) + problem_[i].size);
  }
  BufferIndex best = SearchProblem::kNobody;
  for (BufferIndex i = begin; i < end; ++i) {
    if (state_.level(i) >= least_end || !state_.open(i)) continue;
    if (best == SearchProblem::kNobody || better(i, best)) best = i;
  }
  return best;
}

bool CanonicalSearch::better(BufferIndex challenger, BufferIndex holder) {
  if (state_.level(challenger) != state_.level(holder))
    return state_.level(challenger) < state_.level(holder);
  if (tie_break_ != TieBreak::kRank) {
    const std::uint64_t ours = priority(challenger);
    const std::uint64_t theirs = priority(holder);
    if (ours != theirs) return ours > theirs;
  }
  return rank_[challenger] < rank_[holder];
}

std::uint64_t CanonicalSearch::priority(BufferIndex buffer) {
  const SearchProblem::Item& item = problem_[buffer];
  const auto& conflicts = state_.conflicts();
  switch (tie_break_) {
    case TieBreak::kRank:
      return 0;
    case TieBreak::kSlack:
      return static_cast<std::uint64_t>(PackingState::kSettled - state_.slack(buffer));
    case TieBreak::kConflict:
      return *std::max_element(conflicts.begin() + item.first, conflicts.begin() + item.last);
    case TieBreak::kConflicts:
      break;
  }
  return conflicts_before_[item.last] - conflicts_before_[item.first];
}

bool CanonicalSearch::place(BufferIndex buffer) {
  const auto frame = static_cast<Index>(frames_.size());
  frames_.push_back({buffer, goal_, goals_.size(), state_.mark()});
  return state_.place(buffer) && set_goals(goals_[goal_], frame);
}

// Makes what is left of `parent` the goals to solve now. Returns false if one of them is known to be hopeless.
bool CanonicalSearch::set_goals(const Goal& parent, Index base) {
  const Goal whole = parent;
  goal_ = whole.next;
  for (Section begin = whole.begin; begin < whole.end;) {
    if (state_.finished(begin)) {
      ++begin;
      continue;
    }
    const Section end = end_of_piece(begin, whole.end);
    if (!add_goal(begin, end, base)) return false;
    begin = end;
  }
  return true;
}

Section CanonicalSearch::end_of_piece(Section begin, Section end) const {
  if (!rules_.decomposition) return end;
  Section section = begin + 1;
  while (section < end && !state_.cut_before(section)) ++section;
  return section;
}

bool CanonicalSearch::add_goal(Section begin, Section end, Index base) {
  Goal goal{begin, end, goal_, base, {}};
  if (rules_.memo) {
    goal.fingerprint = state_.fingerprint(begin, end);
    goal.fingerprint ^= context_;
    if (refuted_.contains(goal.fingerprint)) return false;
  }
  goal_ = static_cast<Index>(goals_.size());
  goals_.push_back(goal);
  return true;
}

// Takes the last placement back, since it has failed, and refuses it there. Climbs as long as that leaves
// nothing to try. Returns false when it arrives at the root.
bool CanonicalSearch::retreat() {
  do {
    const Frame frame = frames_.back();
    frames_.pop_back();
    state_.undo_to(frame.mark);
    goals_.resize(frame.goals);
    goal_ = frame.goal;
    if (refuse(frame.buffer)) {
      learn_conflicts();
      return true;
    }
  } while (give_up_goal());
  return false;
}

bool CanonicalSearch::refuse(BufferIndex buffer) {
  if (rules_.hatless && !state_.has_unplaced_neighbour(buffer)) return false;
  return state_.refuse(buffer);
}

// Gives the current goal up, since it has no solution. Leaves the placement that made it as the last frame.
// Returns false if the root made it.
bool CanonicalSearch::give_up_goal() {
  const Goal& goal = goals_[goal_];
  if (rules_.memo) refuted_.insert(goal.fingerprint);
  if (goal.base == kNone) return false;
  frames_.resize(goal.base + 1);
  return true;
}

void CanonicalSearch::learn_conflicts() {
  if (tie_break_ != TieBreak::kConflicts) return;
  const auto& conflicts = state_.conflicts();
  for (std::size_t s = 0; s < conflicts.size(); ++s)
    conflicts_before_[s + 1] = conflicts_before_[s] + conflicts[s];
}

}  // namespace memo::planner
