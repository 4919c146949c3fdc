#include "planner/solve/bump.h"

#include <algorithm>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

Outcome solve(const Problem& problem, const Limits&) {
  const std::vector<BufferIndex> order = birth_order(problem);
  Offsets offsets(problem.buffers.size());
  Offset next = 0;
  Time all_dead = order.empty() ? 0 : problem.buffers[order.front()].life.begin;
  for (const BufferIndex index : order) {
    const Buffer& buffer = problem.buffers[index];
    if (buffer.life.begin >= all_dead) next = 0;
    all_dead = std::max(all_dead, buffer.life.end);
    offsets[index] = align_up(next, buffer.alignment);
    next = offsets[index] + buffer.size;
  }
  return conclude(problem, std::move(offsets));
}

}  // namespace

const Strategy kBump = {
    .name = "bump",
    .summary = "Each buffer above the one before; from 0 again when nothing is alive",
    .cost = "O(n log n)",
    .guarantee = "none: as high as the bytes born between two empty moments",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
