#include "planner/tool/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/tool/compare/printed_figures.h"

namespace memo::compare {
namespace {

process::Command command_of(const Setup& setup, const Allocator& allocator) {
  Allocator found = allocator;
  if (allocator.library == kOurs) found.library = setup.library;
  process::Command command = under(found, setup.workload.words);
  if (allocator.name == kServe)
    command.set.insert(command.set.end(), setup.when_serving.begin(), setup.when_serving.end());
  return command;
}

MeasuredRun unless_failed(const Subject& subject, MeasuredRun run) {
  if (run.status != 0) throw FailedRun{subject.allocator.name, std::move(run)};
  return run;
}

MeasuredRun run_once(const Setup& setup, const Subject& subject, const process::Command& command) {
  return unless_failed(subject, measure(command, setup.workload, setup.folder));
}

// Returns how many runs a comparison takes.
std::size_t count_runs(const Setup& setup) {
  const auto locks = static_cast<std::size_t>(std::ranges::count_if(setup.allocators, contains_jemalloc));
  return setup.runs * (setup.turns.wanted() ? 1 : setup.allocators.size()) + locks;
}

// Counts the runs, and says which one begins.
class Runs {
 public:
  Runs(const Setup& setup, const Progress& progress)
      : all_(static_cast<double>(count_runs(setup))), progress_(progress) {}

  // `part` says how much of the run is done already.
  void begin(std::string what, double part = 0) {
    progress_({.done = done_ + part, .all = all_, .what = std::move(what)});
  }
  void end() { ++done_; }

 private:
  double done_ = 0;
  double all_;
  const Progress& progress_;
};

std::string name_of_round(const Setup& setup, std::size_t round) {
  return fmt::format("round {} of {}", round + 1, setup.runs);
}

void run_in_a_row(const Setup& setup, std::size_t round, Comparison& comparison, Runs& runs) {
  const std::size_t count = comparison.subjects.size();
  for (std::size_t turn = 0; turn < count; ++turn) {
    Subject& subject = comparison.subjects[(round + turn) % count];
    runs.begin(fmt::format("{}, {}", name_of_round(setup, round), subject.allocator.name));
    subject.runs.push_back(run_once(setup, subject, command_of(setup, subject.allocator)));
    runs.end();
  }
}

void run_together(const Setup& setup, std::size_t round, Comparison& comparison, Runs& all_runs) {
  std::vector<process::Command> commands;
  for (const Subject& subject : comparison.subjects) commands.push_back(command_of(setup, subject.allocator));
  const auto count = static_cast<double>(setup.turns.count);
  all_runs.begin(fmt::format("{}, warming all up", name_of_round(setup, round)));
  std::vector<MeasuredRun> runs = run_in_turn(commands, setup.turns, setup.folder, [&](std::size_t turn) {
    all_runs.begin(fmt::format("{}, turn {} of {}", name_of_round(setup, round), turn + 1, setup.turns.count),
                   static_cast<double>(turn) / count);
  });
  all_runs.end();
  for (std::size_t i = 0; i < runs.size(); ++i)
    comparison.subjects[i].runs.push_back(unless_failed(comparison.subjects[i], std::move(runs[i])));
}

// Runs a command once, all by itself.
MeasuredRun run_by_itself(const Setup& setup, const process::Command& command, const Turns& turns) {
  if (!turns.wanted()) return measure(command, setup.workload, setup.folder);
  return std::move(run_in_turn({command}, turns, setup.folder, [](std::size_t) {}).front());
}

void measure_locks(const Setup& setup, Comparison& comparison, Runs& runs) {
  for (Subject& subject : comparison.subjects) {
    if (!contains_jemalloc(subject.allocator)) continue;
    runs.begin(fmt::format("locks of {}", subject.allocator.name));
    subject.locks = measure_heap_locks(command_of(setup, subject.allocator), setup.turns,
                                       [&](const process::Command& command, const Turns& turns) {
                                         return unless_failed(subject, run_by_itself(setup, command, turns));
                                       });
    runs.end();
  }
}

// Takes the median over the turns of each run, where each turn counts as a ratio to the same turn of the other
// program: a second in which the machine is slow affects both. Dividing two medians would be wrong where half
// of the turns fell into such seconds.
Ratio turn_ratio(const Subject& one, const Subject& other) {
  std::vector<double> medians;
  for (std::size_t run = 0; run < one.runs.size(); ++run) {
    std::vector<double> ratios;
    for (std::size_t turn = 0; turn < one.runs[run].turns.size(); ++turn)
      ratios.push_back(other.runs[run].turns[turn] / one.runs[run].turns[turn]);
    medians.push_back(spread_of(std::move(ratios)).median);
  }
  return ratio_of(medians, std::vector<double>(medians.size(), 1));
}

bool answered_alike(const Comparison& comparison) {
  const auto& expected = comparison.subjects.front().runs.front().answers;
  return std::ranges::all_of(comparison.subjects, [&](const Subject& subject) {
    return std::ranges::all_of(subject.runs, [&](const MeasuredRun& run) { return run.answers == expected; });
  });
}

}  // namespace

const Subject* Comparison::find(std::string_view name) const {
  const auto found =
      std::ranges::find(subjects, name, [](const Subject& subject) { return subject.allocator.name; });
  return found == subjects.end() ? nullptr : &*found;
}

Comparison compare(const Setup& setup, const Progress& progress) {
  Comparison comparison;
  for (const Allocator& allocator : setup.allocators) comparison.subjects.push_back({allocator, {}, {}});
  Runs runs(setup, progress);
  for (std::size_t round = 0; round < setup.runs; ++round) {
    if (setup.turns.wanted()) {
      run_together(setup, round, comparison, runs);
    } else {
      run_in_a_row(setup, round, comparison, runs);
    }
  }
  measure_locks(setup, comparison, runs);
  comparison.same_answers = answered_alike(comparison);
  return comparison;
}

MeasuredRun run_alone(const Setup& setup, const process::Command& command) {
  return run_by_itself(setup, command, setup.turns);
}

std::vector<double> values_of(const Subject& subject, const std::string& figure) {
  std::vector<double> values;
  for (const MeasuredRun& run : subject.runs) {
    const auto found = run.figures.find(figure);
    if (found == run.figures.end()) return {};
    values.push_back(found->second);
  }
  return values;
}

std::string speed_figure(const Comparison& comparison) {
  const auto& figures = comparison.subjects.front().runs.front().figures;
  for (const auto& [name, value] : figures) {
    if (more_is_better(name) && value > 0) return name;
  }
  for (const auto& [name, value] : figures) {
    if (name.ends_with("p50") && value > 0) return name;
  }
  return "seconds";
}

std::optional<Ratio> figure_ratio(const Subject& one, const Subject& other, const std::string& figure) {
  const std::vector<double> of = values_of(one, figure);
  const std::vector<double> to = values_of(other, figure);
  if (of.empty() || to.size() != of.size()) return std::nullopt;
  if (std::ranges::min(of) <= 0 || std::ranges::min(to) <= 0) return std::nullopt;
  return ratio_of(of, to);
}

std::optional<Ratio> speed_ratio(const Subject& one, const Subject& other, const std::string& figure) {
  if (!one.runs.front().turns.empty()) return turn_ratio(one, other);
  return more_is_better(figure) ? figure_ratio(one, other, figure) : figure_ratio(other, one, figure);
}

}  // namespace memo::compare
