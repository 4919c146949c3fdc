// The exact search: decides whether there is a plan within a capacity. It branches and bounds over the plans in
// which every buffer rests on another one or on address 0, and builds them from the bottom up (packing_state.h
// says what a node holds, docs/solver.md why the search misses nothing).
//
//   node: take the lowest open buffer (ties by an Ordering)
//         ├── place it at its level
//         └── refuse it there: it must rest on a buffer that is not placed yet     … until a section overflows
//
// The two branches share no plan and together hold all of them. The right branch needs no stack, since it only
// narrows what the node above it may still do. So the stack holds one frame for each placed buffer. It is an
// explicit stack, because it can be thousands of frames deep.
//
// Decomposition. A *goal* is a stretch of sections to be finished. When a placement leaves its goal in several
// pieces that share no unplaced buffer, each piece becomes a goal. The search solves them one after the other.
// If one of them has no solution, the placement that made it is at fault, whatever the other goals look like,
// and the search returns there at once.
//
// A goal consists of nothing but its unplaced buffers, their levels and their refusals. So the search remembers
// a refuted goal and recognises it wherever it occurs again, in this dive or a later one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "planner/solve/packing_state.h"
#include "planner/solve/ranking.h"

namespace memo::planner {

class CanonicalSearch {
 public:
  enum class Verdict {
    kSolved,     // offsets() is a plan within the capacity
    kExhausted,  // proved: there is none
    kLimit,      // the nodes ran out
    kStopped     // the caller said stop
  };

  // The search asks it every few hundred nodes.
  using Stop = std::function<bool()>;

  struct Dive {
    Bytes capacity;
    Ordering ordering;
    std::uint64_t seed;  // of a random ranking
    std::uint64_t nodes;
  };

  // Keeps at most `most_refuted` refuted goals (16 bytes each, in a table twice that size).
  CanonicalSearch(const SearchProblem& problem, const Rules& rules, std::size_t most_refuted);

  // Searches from the root. Uses again what earlier dives refuted, and which sections made them fail.
  [[nodiscard]] Verdict dive(const Dive& dive, const Stop& stop);

  // Returns the plan of the last dive, if that was solved, by the indices of the original problem.
  [[nodiscard]] Offsets offsets() const;
  // Returns the nodes of the last dive.
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  // Returns how often each section has failed, which guides the next dive. Searches may share these counts.
  [[nodiscard]] const std::vector<std::uint64_t>& conflicts() const { return state_.conflicts(); }
  void set_conflicts(const std::vector<std::uint64_t>& conflicts) { state_.set_conflicts(conflicts); }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  struct Goal {
    Section begin;
    Section end;
    Index next;  // the goal to solve after this one
    Index base;  // the frame whose placement made the goal
    Fingerprint fingerprint;
  };
  struct Frame {
    BufferIndex buffer;
    Index goal;
    std::size_t goals;  // number of goals before
    PackingState::Mark mark;
  };

  [[nodiscard]] Verdict search(const Dive& dive, const Stop& stop);
  [[nodiscard]] bool each_fits(Bytes capacity) const;
  void start(const Dive& dive);
  [[nodiscard]] BufferIndex choose(const Goal& goal);
  [[nodiscard]] bool better(BufferIndex challenger, BufferIndex holder);
  [[nodiscard]] std::uint64_t priority(BufferIndex buffer);
  [[nodiscard]] bool place(BufferIndex buffer);
  [[nodiscard]] bool set_goals(const Goal& parent, Index base);
  [[nodiscard]] bool add_goal(Section begin, Section end, Index base);
  [[nodiscard]] Section end_of_piece(Section begin, Section end) const;
  [[nodiscard]] bool retreat();
  [[nodiscard]] bool refuse(BufferIndex buffer);
  [[nodiscard]] bool give_up_goal();
  void learn_conflicts();

  const SearchProblem& problem_;
  Rules rules_;
  PackingState state_;
  RefutedStates refuted_;
  Fingerprint context_;  // of the capacity: a refutation for one capacity says nothing about another

  TieBreak tie_break_ = TieBreak::kRank;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint64_t> conflicts_before_;  // prefix sums over the sections

  std::vector<Frame> frames_;
  std::vector<Goal> goals_;
  Index goal_ = kNone;
  std::uint64_t nodes_ = 0;
};

}  // namespace memo::planner
