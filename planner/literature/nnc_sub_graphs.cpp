#include "planner/literature/nnc_sub_graphs.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "planner/literature/nnc_page.h"
#include "planner/literature/sub_graphs.h"
#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/squeeze.h"

namespace memo::planner {
namespace {

Problem inside_of(const Problem& problem, const std::vector<BufferIndex>& call) {
  Problem inside;
  for (const BufferIndex index : call) inside.buffers.push_back(problem.buffers[index]);
  return inside;
}

// Returns the block of a call, whose buffers lie in so many bytes.
Buffer block_of(const Problem& inside, Bytes bytes) {
  Buffer block = inside.buffers.front();
  block.size = bytes;
  for (const Buffer& buffer : inside.buffers) {
    block.life.begin = std::min(block.life.begin, buffer.life.begin);
    block.life.end = std::max(block.life.end, buffer.life.end);
    block.alignment = std::max(block.alignment, buffer.alignment);
  }
  return block;
}

// Returns true if a block that is aligned as strictly as the strictest buffer suits them all.
bool align_together(const Problem& inside) {
  const Bytes strictest = block_of(inside, 0).alignment;
  return std::all_of(inside.buffers.begin(), inside.buffers.end(),
                     [strictest](const Buffer& buffer) { return strictest % buffer.alignment == 0; });
}

// Returns the buffers that are in no call.
std::vector<BufferIndex> outside(const Problem& problem, const SubGraph& part) {
  std::vector<bool> is_inside(problem.buffers.size());
  for (const std::vector<BufferIndex>& call : part.calls)
    for (const BufferIndex index : call) is_inside[index] = true;
  std::vector<BufferIndex> found;
  for (BufferIndex index = 0; index < problem.buffers.size(); ++index)
    if (!is_inside[index]) found.push_back(index);
  return found;
}

std::optional<Offsets> plan(const Problem& problem, Budget& budget);

std::optional<Offsets> plan_around(const Problem& problem, const SubGraph& part, Budget& budget) {
  const Problem first = inside_of(problem, part.calls.front());
  const std::optional<Offsets> within = plan(first, budget);
  if (!within) return std::nullopt;
  const std::vector<BufferIndex> others = outside(problem, part);
  Problem around = inside_of(problem, others);
  for (const std::vector<BufferIndex>& call : part.calls)
    around.buffers.push_back(block_of(inside_of(problem, call), height(first, *within)));
  const std::optional<Offsets> places = plan(around, budget);
  if (!places) return std::nullopt;
  Offsets offsets(problem.buffers.size());
  for (std::size_t i = 0; i < others.size(); ++i) offsets[others[i]] = (*places)[i];
  for (std::size_t call = 0; call < part.calls.size(); ++call)
    for (std::size_t i = 0; i < within->size(); ++i)
      offsets[part.calls[call][i]] = (*places)[others.size() + call] + (*within)[i];
  return offsets;
}

std::optional<Offsets> plan(const Problem& problem, Budget& budget) {
  const std::optional<SubGraph> part = find_sub_graph(problem, budget);
  if (part && align_together(inside_of(problem, part->calls.front())))
    return plan_around(problem, *part, budget);
  const std::optional<Offsets> loose = nnc_page_loose_plan(problem, budget);
  return loose ? std::optional(squeeze(problem, *loose)) : std::nullopt;
}

Outcome solve(const Problem& problem, const Limits& limits) {
  Budget budget = Budget::of_time(limits);
  std::optional<Offsets> offsets = plan(problem, budget);
  return offsets ? conclude(problem, std::move(*offsets)) : out_of_time(problem);
}

}  // namespace

const Strategy kNncSubGraphs = {
    .name = "nnc-sub-graphs",
    .summary = "nnc-page for each part that is repeated, once; a part's calls are blocks of the graph around",
    .cost = "O(n^3) at worst",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_fixed_offsets,
    .solve = solve,
};

}  // namespace memo::planner
