// Passes for traces that have none: find_period (planner/period/) asked about what the threads of a trace allocate, and its
// answer put into the trace as if the program had marked the passes.
#pragma once

#include <span>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/problem/deadline.h"
#include "planner/variants/variants.h"

namespace memo::planner {

// An anchor by itself, and how sure it is.
struct FoundAnchor {
  Module module;
  std::uint64_t offset = 0;  // return address minus load address
  Bytes least = 0;
  Bytes most = Anchor::kAnySize;
  std::uint64_t key = 0;
  std::size_t passes = 0;
  std::size_t stretches = 0;  // from one anchor to the next: the passes, and what is like none of them
  double covered = 0;         // of what the threads allocate from their first pass to their last
};

// Replaces the passes of the traces, which should have been recorded with what lies outside of passes, by those that the
// period of their allocations shows. No anchors: there is none to be sure of, or none was found by the deadline, and the traces
// are as they were.
[[nodiscard]] std::vector<FoundAnchor> find_passes_by_period(std::span<Trace> traces, Deadline& deadline);

// Those of a plan, which does not say how sure they were.
[[nodiscard]] std::vector<FoundAnchor> anchors_of(const PlanDescription& plan);

// Replaces the passes of the trace by those that these anchors open.
void open_passes_at(std::span<const FoundAnchor> anchors, Trace& trace);

// The plan is to begin passes there.
void attach(std::span<const FoundAnchor> anchors, Variants& variants);

}  // namespace memo::planner
