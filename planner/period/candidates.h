// What a plan could serve if passes began at one anchor: the figures by which anchors are compared.
#pragma once

#include <span>
#include <vector>

#include "planner/period/stretches.h"

namespace memo::planner {

inline constexpr std::size_t kLeastRuns = 4;  // of a pass, for it to be one

// What the decision between anchors is made of.
struct Candidate {
  ContextId anchor = 0;
  double score = 0;  // the share of what recurs that a plan would serve
  double passes = 0;
  double steps = 0;         // of the pass that a step lies in, on average
  double steady = 0;        // the share of what its threads do that belongs to passes
  double leaked_steps = 0;  // of a pass, on average: what outlives it
  double leaked_bytes = 0;
  double depth = 0;  // of the stack where a pass opens: the median
  double wait = 0;   // before a pass, in nanoseconds: the median, since any step may be interrupted
  double vain = 0;   // stretches among the passes that are none
  double idle = 0;   // occurrences that open no pass: each begins one all the same when it is served
};

// What recurs at all: a plan can hold nothing else. Weights, which are loaded once, do not weigh.
struct Totals {
  double steps = 0;
  double bytes = 0;
};

[[nodiscard]] Totals totals_of(const StepIndex& index);

// A score of 0: what begins at this anchor is no pass.
[[nodiscard]] Candidate judge(const StepIndex& index, const Totals& totals, ContextId anchor);

// A loop over the lines of a script recurs as well. What sets a pass apart is that it works on tensors.
void keep_worthwhile(std::span<const Sequence> threads, std::vector<Stretch>& passes);

// From each thread's first pass on.
struct Figures {
  std::size_t stretches = 0;
  double covered = 0;
  double covered_bytes = 0;
};

[[nodiscard]] Figures figures_of(const StepIndex& index, ContextId anchor,
                                 const std::vector<Stretch>& passes);
[[nodiscard]] bool are_enough(const std::vector<Stretch>& passes, const Figures& figures);

}  // namespace memo::planner
