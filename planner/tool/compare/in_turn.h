// Programs that answer line by line, all there at once and asked one after the other: what else the machine does meets all
// of them alike, and differences show that runs in a row leave in the noise.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "planner/tool/compare/measured_run.h"

namespace memo::compare {

struct Turns {
  std::size_t asks = 0;      // lines told at once, and so the passes under way together; 0: runs in a row
  std::size_t count = 20;    // turns of each program in a run
  std::size_t warm_up = 30;  // lines before those

  [[nodiscard]] bool wanted() const { return asks > 0; }
};

// A run of each command, in their order; the turns go round from another one on each time. The figure "ask_ms.p50" is the
// median over the turns of the milliseconds for each line. What is answered, in whichever order, is the run's answer. A
// command that ends early without saying why, with status 0, throws std::runtime_error.
[[nodiscard]] std::vector<MeasuredRun> run_in_turn(const std::vector<process::Command>& commands,
                                                   const Turns& turns, const std::filesystem::path& folder);

}  // namespace memo::compare
