// Runs programs that answer line by line, all at the same time, and asks one after the other. Other load on the
// machine affects all of them alike, so differences show that are lost in the noise of runs in a row.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "planner/tool/compare/measured_run.h"

namespace memo::compare {

struct Turns {
  std::size_t asks = 0;      // lines sent at once, and so passes that run together; 0: runs in a row
  std::size_t count = 20;    // turns of each program in a run
  std::size_t warm_up = 30;  // lines sent before the turns

  [[nodiscard]] bool wanted() const { return asks > 0; }
  // Returns the number of untimed lines at the beginning of a turn: a quarter. They bring the program's data back
  // into the caches, which hold data of the programs that ran before.
  [[nodiscard]] std::size_t lines_before_the_clock() const { return (asks + 3) / 4; }
  [[nodiscard]] std::size_t lines_of_a_turn() const { return lines_before_the_clock() + asks; }
};

// Runs each command, and returns the runs in the same order. Each round of turns begins with another command; before
// it, `begins` is told how many there were.
// The figure "ask_ms.p50" is the median over the turns of the milliseconds for each line. The run's answer is
// the set of all answers, in any order. Throws std::runtime_error if a command ends early with status 0, since
// the status then gives no reason.
[[nodiscard]] std::vector<MeasuredRun> run_in_turn(const std::vector<process::Command>& commands,
                                                   const Turns& turns, const std::filesystem::path& folder,
                                                   const std::function<void(std::size_t)>& begins);

}  // namespace memo::compare
