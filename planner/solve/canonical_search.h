// The exact search: is there a plan within a capacity? Branch and bound over the plans in which every buffer rests on
// another one or on address 0, built bottom-up (see packing_state.h for what a node holds, docs/solver.md for why
// nothing is missed).
//
//   node: take the lowest open buffer (ties by an Ordering)
//         ├── place it at its level
//         └── refuse it there: it must rest on a buffer that is not placed yet     … until a section overflows
//
// The two branches share no plan and together hold all of them. The right branch needs no stack: it only narrows what
// the node above it may still do. So the stack holds one frame for each placed buffer, explicitly: thousands deep.
//
// Decomposition. A *goal* is a stretch of sections to be finished. When a placement leaves its goal in several pieces
// that share no unplaced buffer, each becomes a goal. They are solved one after the other; if one of them cannot be,
// the placement that made it is at fault, whatever the other goals look like: the search returns there at once.
//
// A goal is only its unplaced buffers, their levels and refusals: a refuted goal is remembered and recognised wherever
// it comes up again, in this dive or a later one.
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

  // Asked every few hundred nodes.
  using Stop = std::function<bool()>;

  struct Dive {
    Bytes capacity;
    Ordering ordering;
    std::uint64_t seed;  // for a random ranking
    std::uint64_t nodes;
  };

  // Keeps at most `most_refuted` refuted goals (16 bytes each, in a table twice that size).
  CanonicalSearch(const SearchProblem& problem, const Rules& rules, std::size_t most_refuted);

  // Searches from the root. What earlier dives refuted and which sections made them fail is used again.
  [[nodiscard]] Verdict dive(const Dive& dive, const Stop& stop);

  // By the indices of the original problem. Of the last dive, if it was solved.
  [[nodiscard]] Offsets offsets() const;
  // Of the last dive.
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  // By section, how often it has failed: what the next dive is guided by. Searches may share what they have learnt.
  [[nodiscard]] const std::vector<std::uint64_t>& conflicts() const { return state_.conflicts(); }
  void set_conflicts(const std::vector<std::uint64_t>& conflicts) { state_.set_conflicts(conflicts); }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  struct Goal {
    Section begin;
    Section end;
    Index next;  // what to solve after it
    Index base;  // the frame whose placement made it
    Fingerprint fingerprint;
  };
  struct Frame {
    BufferIndex buffer;
    Index goal;
    std::size_t goals;  // how many there were before
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
  Fingerprint context_;  // of the capacity: what is refuted for one is not refuted for another

  TieBreak tie_break_ = TieBreak::kRank;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint64_t> conflicts_before_;  // prefix sums over the sections

  std::vector<Frame> frames_;
  std::vector<Goal> goals_;
  Index goal_ = kNone;
  std::uint64_t nodes_ = 0;
};

}  // namespace memo::planner
