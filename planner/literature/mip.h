// mip: Sekiyama et al.'s mixed integer program (mip_model.h), solved by CBC or GLPK where one is installed. It
// is the thesis's yardstick: exact, and hopeless beyond some 60 buffers that really compete.
//
// The strategy first splits the problem where nothing is alive and divides it by its common unit. Each part
// that the hill climber does not bring to its lower bound goes to the solver, with "lower than this" as its
// task. The answer is rounded and squeezed, so it is a valid plan whatever the solver's tolerances did. It
// counts as proved only if it is as low as the solver says.
//
// Ends after the seconds given (20 without any limit). A hundred nodes buy one node of the solver's tree (CBC
// only). A solver that could not afford ten of these for each binary is not started.
#pragma once

#include "planner/placing/strategy.h"

namespace memo::planner {

extern const Strategy kMip;

}  // namespace memo::planner
