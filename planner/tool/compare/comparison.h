// A command under one allocator after the other, round by round, and what came of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/compare/allocators.h"
#include "planner/tool/compare/in_turn.h"
#include "planner/tool/compare/jemalloc_statistics.h"
#include "planner/tool/compare/measured_run.h"
#include "planner/tool/compare/statistics.h"

namespace memo::compare {

struct Setup {
  Workload workload;
  std::vector<Allocator> allocators;
  std::size_t runs = 5;
  Turns turns;                        // where there are asks, the runs of a round go on together
  std::string library;                // this project's, where kOurs is asked for
  process::Environment when_serving;  // the plan, and what goes with it
  std::filesystem::path folder;       // for what the runs print
};

struct Subject {
  Allocator allocator;
  std::vector<MeasuredRun> runs;
  std::optional<JemallocStatistics> locks;  // of a run of its own, outside of the rounds
};

struct Comparison {
  std::vector<Subject> subjects;
  bool same_answers = true;

  [[nodiscard]] const Subject* find(std::string_view name) const;
};

// A run that did not exit with 0.
struct FailedRun {
  std::string_view allocator;
  MeasuredRun run;
};

// What runs next: an allocator, or "all in turn".
using Progress = std::function<void(std::size_t round, std::string_view allocator)>;

// Each round runs every allocator once, each time another one first, or all together: a ratio is between two runs of one
// round. Throws FailedRun.
[[nodiscard]] Comparison compare(const Setup& setup, const Progress& progress);

// One run of a command, whichever way Setup has it.
[[nodiscard]] MeasuredRun run_alone(const Setup& setup, const process::Command& command);

// The values of one figure over the rounds; empty where the program did not print it in each.
[[nodiscard]] std::vector<double> values_of(const Subject& subject, const std::string& figure);

// The figure that stands for speed: what the program counts per second, else a median latency, else the seconds of a run.
[[nodiscard]] std::string speed_figure(const Comparison& comparison);

// The one's figure as a multiple of the other's; nothing where it is missing in a run, or not positive.
[[nodiscard]] std::optional<Ratio> figure_ratio(const Subject& one, const Subject& other,
                                                const std::string& figure);

// How many times as fast the one is as the other, by this figure; asked in turn, by the pairs of turns.
[[nodiscard]] std::optional<Ratio> speed_ratio(const Subject& one, const Subject& other,
                                               const std::string& figure);

}  // namespace memo::compare
