#include "planner/trace/data_flow.h"

#include <algorithm>
#include <unordered_map>

namespace memo::planner {
namespace {

// What happened to an allocation since it was written last.
struct Written {
  OperationIndex by = kNone;              // kNone: no operator of the pass has written it
  std::vector<OperationIndex> read_by{};  // since then
};
using WrittenBlocks = std::unordered_map<std::uint64_t, Written>;

void note_writes(const Operation& operation, OperationIndex index, WrittenBlocks& blocks) {
  for (const Access& access : operation.writes) blocks[access.tagged] = {.by = index};
}

// Adds what must run before the operator because of the allocations that it reads and overwrites.
void add_needed(const Operation& operation, const WrittenBlocks& blocks,
                std::vector<OperationIndex>& needed) {
  for (const Access& access : operation.reads) {
    const auto block = blocks.find(access.tagged);
    if (block != blocks.end() && block->second.by != kNone) needed.push_back(block->second.by);
  }
  for (const Access& access : operation.writes) {
    const auto block = blocks.find(access.tagged);
    if (block == blocks.end()) continue;
    if (block->second.by != kNone) needed.push_back(block->second.by);
    needed.insert(needed.end(), block->second.read_by.begin(), block->second.read_by.end());
  }
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
}

}  // namespace

std::vector<FlowEdge> flow_edges(const Pass& pass) {
  std::vector<FlowEdge> edges;
  WrittenBlocks blocks;
  for (OperationIndex to = 0; to < pass.operations.size(); ++to) {
    const std::size_t first = edges.size();
    for (const Access& access : pass.operations[to].reads) {
      const auto block = blocks.find(access.tagged);
      if (block == blocks.end()) continue;
      const bool known = std::any_of(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end(),
                                     [&](const FlowEdge& edge) { return edge.tagged == access.tagged; });
      if (!known)
        edges.push_back({.from = block->second.by, .to = to, .tagged = access.tagged, .size = access.size});
    }
    note_writes(pass.operations[to], to, blocks);
  }
  return edges;
}

RunOrder::RunOrder(const Pass& pass) {
  const std::size_t count = pass.operations.size();
  before_.resize(count);
  ancestors_.assign(count, std::vector<bool>(count));
  WrittenBlocks blocks;
  for (OperationIndex index = 0; index < count; ++index) {
    const Operation& operation = pass.operations[index];
    add_needed(operation, blocks, before_[index]);
    for (const OperationIndex earlier : before_[index]) {
      ancestors_[index][earlier] = true;
      for (OperationIndex i = 0; i < earlier; ++i)
        if (ancestors_[earlier][i]) ancestors_[index][i] = true;
    }
    for (const Access& access : operation.reads) blocks[access.tagged].read_by.push_back(index);
    note_writes(operation, index, blocks);
  }
}

}  // namespace memo::planner
