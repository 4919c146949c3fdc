// Finds passes in traces that have none. It runs find_period (planner/period/) on what the threads of a trace
// allocate, and writes the passes into the trace as if the program had marked them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/plan/plan_description.h"
#include "planner/problem/deadline.h"
#include "planner/steps/variants.h"

namespace memo::planner {

// The call site that came closest to being the anchor.
struct RivalAnchor {
  std::string module;  // path
  std::uint64_t offset = 0;
};

// An anchor, and the figures that tell how reliable it is.
struct FoundAnchor {
  Module module;
  std::uint64_t offset = 0;  // return address minus load address
  Bytes least = 0;
  Bytes most = Anchor::kAnySize;
  std::uint64_t key = 0;
  std::size_t passes = 0;
  std::size_t stretches = 0;  // stretches between two anchors: the passes, and those unlike any pass
  double covered = 0;         // share of the threads' allocations, from first to last pass, that passes make
  std::string decided_by;     // the term of planner/period/choice.cpp that told it from its last rival
  std::optional<RivalAnchor> rival = {};
};

// Replaces the passes of the traces by those that the period of their allocations shows, and returns their
// anchors. The traces should include what was allocated outside of passes. Returns no anchors, and leaves the
// traces as they are, where no anchor is reliable, the deadline passed before one was found, or it was over before all
// passes were cut.
[[nodiscard]] std::vector<FoundAnchor> find_passes_by_period(std::span<Trace> traces, Deadline& deadline);

// Returns the anchors of a plan. A plan does not record how reliable they were.
[[nodiscard]] std::vector<FoundAnchor> anchors_of(const PlanDescription& plan);

// Replaces the passes of the trace by those that these anchors open.
void open_passes_at(std::span<const FoundAnchor> anchors, Trace& trace);

// Makes the plan begin passes at these anchors.
void attach(std::span<const FoundAnchor> anchors, Variants& variants);

}  // namespace memo::planner
