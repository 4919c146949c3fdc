// Generates problems like those of MiniMalloc's synthetic suite (its figure 10): few buffers, much overlap, and hardly
// a byte to spare. Neither its instances nor its generator are public, so this is another one.
//
// Every problem is cut from a full rectangle, so that a plan within its capacity exists. Of two problems of a size one
// keeps all pieces: each byte of the capacity is in use at every moment. The other loses a tenth of them.
#pragma once

#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

// The numbers of buffers in figure 10: 20, 22, … 60.
constexpr int kLeastBuffers = 20;
constexpr int kMostBuffers = 60;
constexpr int kBufferStep = 2;

// Returns `count` problems of that many buffers, each with its capacity. They are the same on every machine.
[[nodiscard]] std::vector<planner::Problem> synthetic_problems(int buffers, int count);

}  // namespace memo::bench
