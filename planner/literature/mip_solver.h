// Runs an installed mixed integer solver, as a child process, on a model in a folder of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/literature/mip_model.h"

namespace memo::planner {

struct MipSolver {
  enum class Kind { kCbc, kGlpsol };
  Kind kind;
  std::string path;
};

// Returns cbc or glpsol, the first of them that is on the PATH.
[[nodiscard]] std::optional<MipSolver> find_mip_solver();

struct MipAnswer {
  enum class Verdict {
    kOptimal,     // values: a solution proved least
    kFeasible,    // values: a solution
    kInfeasible,  // proved: there is none
    kNothing,     // no answer within the limits, or none that could be read
  };
  Verdict verdict = Verdict::kNothing;
  double objective = 0;
  std::vector<double> values;  // by column of the model
};

struct MipLimits {
  double seconds = 0;
  std::optional<std::uint64_t> tree_nodes;  // CBC only
  const std::atomic<bool>* cancel = nullptr;
};

// Asks the solver to end by itself within the limits, and kills it when it does not end or when the caller
// cancels. The files lie in a folder that no other user can guess or read; this function removes it before it
// returns.
[[nodiscard]] MipAnswer run_mip_solver(const MipSolver& solver, const MipModel& model,
                                       const MipLimits& limits);

}  // namespace memo::planner
