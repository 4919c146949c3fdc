// Runs a command under one allocator after the other, round by round, and holds the results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/heap_locks.h"
#include "planner/tool/compare/in_turn.h"
#include "planner/tool/compare/measured_run.h"
#include "planner/tool/compare/statistics.h"
#include "planner/tool/progress/state.h"

namespace memo::compare {

struct Setup {
  Workload workload;
  std::vector<Allocator> allocators;
  std::size_t runs = 5;
  Turns turns;          // if lines are asked for, the runs of a round take place at the same time
  std::string library;  // the path of libmemomalloc.so, where kOurs is compared
  process::Environment when_serving;  // the plan and the other variables for serving
  std::filesystem::path folder;       // the folder for the output of the runs
};

struct Subject {
  Allocator allocator;
  std::vector<MeasuredRun> runs;
  std::optional<HeapLocks> locks;  // where it contains a jemalloc; measured outside the rounds
};

struct Comparison {
  std::vector<Subject> subjects;
  bool same_answers = true;

  [[nodiscard]] const Subject* find(std::string_view name) const;
};

// A run that exited with another status than 0.
struct FailedRun {
  std::string allocator;
  MeasuredRun run;
};

// Receives what runs next, and how many of all runs are done. Runs in turn count as one for all programs.
using Progress = std::function<void(const progress::State&)>;

// Runs every allocator once in each round: one after the other, each round beginning with another one, or all
// at the same time. The two values of a ratio are always from the same round. Throws FailedRun.
[[nodiscard]] Comparison compare(const Setup& setup, const Progress& progress);

// Runs a command once, in the way that Setup asks for.
[[nodiscard]] MeasuredRun run_alone(const Setup& setup, const process::Command& command);

// Returns the values of one figure over the rounds. Returns an empty list if the program did not print the
// figure in every round.
[[nodiscard]] std::vector<double> values_of(const Subject& subject, const std::string& figure);

// Returns the figure that stands for speed: what the program counts per second, else a median latency, else the
// seconds of a run.
[[nodiscard]] std::string speed_figure(const Comparison& comparison);

// Returns the figure of `one` as a multiple of that of `other`. Returns nothing if the figure is missing in a
// run, or not positive.
[[nodiscard]] std::optional<Ratio> figure_ratio(const Subject& one, const Subject& other,
                                                const std::string& figure);

// Returns how many times as fast `one` is as `other`, by this figure. For programs asked in turn, compares the
// turns in pairs.
[[nodiscard]] std::optional<Ratio> speed_ratio(const Subject& one, const Subject& other,
                                               const std::string& figure);

}  // namespace memo::compare
