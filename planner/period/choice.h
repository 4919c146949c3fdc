// Chooses one of the anchors that were judged, by a table of terms (choice.cpp), and keeps a record of why.
//
//   term      a     b     c     d       best    still in the race
//   steady   1.0   1.0   1.0   0.4      1.0     a b c
//   served   .93   .92   .61            .93     a b
//   depth     0    9000                  0      a                  depth decided; b is the runner-up
//
// Each term compares the candidates that are still in the race with the best of them, and drops those that are
// clearly worse. What counts as clearly worse is a limit that the table states. A later term therefore decides
// only between candidates that all earlier terms hold to be about as good.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "planner/period/candidates.h"

namespace memo::planner {

// Holds how one candidate did in one term.
struct TermVerdict {
  std::string_view term;
  double figure = 0;
  double limit = 0;  // the figure may not be worse
  bool kept = true;  // false: this figure is worse than the limit
};

// A candidate and its verdicts, in the order of the terms. The last verdict of a dropped candidate has `kept`
// false. A candidate whose stretches are no passes has no verdicts.
struct Standing {
  Candidate candidate;
  std::vector<TermVerdict> verdicts;
};

struct Decision {
  std::vector<Standing> standings;  // in the order in which the candidates were given
  std::size_t chosen = 0;           // index of a standing
  std::optional<std::size_t> runner_up;
  std::string_view decided_by;  // the term that dropped the last rivals
};

// The name of the decision between two candidates that are alike in every term: the one that was given first
// wins.
inline constexpr std::string_view kDecidedByOrder = "order";
// Set where no other candidate had passes.
inline constexpr std::string_view kWithoutRival = "no rival";

// Returns the names of the terms, in the order in which they drop candidates.
[[nodiscard]] std::vector<std::string_view> names_of_terms();

// Chooses a candidate. Returns nothing where no candidate has passes, or where every candidate leaks far more
// than another one in one of the two figures of leaking.
[[nodiscard]] std::optional<Decision> choose(const std::vector<Candidate>& candidates);

// Returns the choice without the standings.
[[nodiscard]] Choice summary_of(const Decision& decision);

}  // namespace memo::planner
