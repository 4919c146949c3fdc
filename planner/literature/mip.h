// mip: Sekiyama et al.'s mixed integer program (mip_model.h), solved by CBC or GLPK where one is installed. The
// thesis's yardstick: exact, and hopeless beyond some 60 buffers that really compete.
//
// The problem is split where nothing is alive and divided by its common unit first. Each part that the hill
// climber does not bring to its lower bound goes to the solver, with "lower than this" as its task. What comes back
// is rounded and squeezed, so it is a valid plan whatever the solver's tolerances did, and counts as proved only if
// it is as low as the solver says.
//
// Ends after the seconds given (20 without any limit); a hundred nodes buy one
// of the solver's tree (CBC only), and a solver that could not afford ten for each binary is not started.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kMip;

}  // namespace memo::planner
