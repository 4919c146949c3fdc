// Computes what a plan could serve if passes began at one anchor: the figures by which anchors are compared.
#pragma once

#include <span>
#include <vector>

#include "planner/period/stretches.h"

namespace memo::planner {

inline constexpr std::size_t kLeastRuns = 4;  // a pass must run at least this often

// The figures that decide between anchors.
struct Candidate {
  ContextId anchor = 0;
  double score = 0;  // share of what recurs that a plan would serve
  double passes = 0;
  double steps = 0;         // mean number of steps of a pass, weighted by steps
  double steady = 0;        // share of its threads' steps in passes, waits between passes included
  double leaked_steps = 0;  // mean number of steps per pass that outlive it
  double leaked_bytes = 0;  // mean number of bytes per pass that outlive it
  double depth = 0;         // median depth of the stack, in bytes, where a pass opens
  double wait = 0;          // median wait before a pass, in ns: any single step may be interrupted
  double vain = 0;          // stretches among the passes that are no passes
  double idle = 0;          // occurrences that open no pass: when served, each would begin one all the same
};

// Sums over the steps that recur, since a plan can hold nothing else. Weights, which the program loads once, do
// not count.
struct Totals {
  double steps = 0;
  double bytes = 0;
};

[[nodiscard]] Totals totals_of(const StepIndex& index);

// Judges an anchor. Returns a score of 0 where the stretches that begin at it are no passes.
[[nodiscard]] Candidate judge(const StepIndex& index, const Totals& totals, ContextId anchor);

// Keeps only passes that work on tensors: a loop over the lines of a script recurs as well, and is no pass.
void keep_worthwhile(std::span<const Sequence> threads, std::vector<Stretch>& passes);

// Figures of the threads, each from its first pass on.
struct Figures {
  std::size_t stretches = 0;
  double covered = 0;
  double covered_bytes = 0;
};

[[nodiscard]] Figures figures_of(const StepIndex& index, ContextId anchor,
                                 const std::vector<Stretch>& passes);
[[nodiscard]] bool are_enough(const std::vector<Stretch>& passes, const Figures& figures);

}  // namespace memo::planner
