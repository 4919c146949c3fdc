#include "planner/literature/allocation_tree.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "planner/literature/allocation_nodes.h"
#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"
#include "planner/problem/soundness.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

using tree::Kind;
using tree::kNoNode;
using tree::Node;
using tree::NodeIndex;
using tree::Nodes;

Bytes largest_alignment(const Problem& problem) {
  Bytes largest = 1;
  for (const Buffer& buffer : problem.buffers) largest = std::max(largest, buffer.alignment);
  return largest;
}

// Gives up a descent deeper than kDeepest, as the strategy may do anywhere: a slab that grew many times is a deep
// tree, and the stack is limited.
class Tree {
 public:
  Tree(const Problem& problem, Bytes granule, Children children)
      : problem_(problem),
        granule_(granule),
        merges_(children == Children::kMerged),
        root_(nodes_.temporal(0)) {}

  void insert(BufferIndex buffer) {
    if (!enter_temporal(root_, buffer, {.may_grow = true, .depth = 0})) grow_at_end(buffer);
  }

  [[nodiscard]] Offsets offsets() const { return nodes_.offsets(root_, problem_.buffers.size()); }

 private:
  static constexpr unsigned kDeepest = 4000;

  [[nodiscard]] Bytes padded(BufferIndex buffer) const {
    return align_up(problem_.buffers[buffer].size, granule_);
  }
  NodeIndex leaf(BufferIndex buffer) {
    return nodes_.leaf(buffer, padded(buffer), problem_.buffers[buffer].life);
  }

  struct Descent {
    bool may_grow;  // the stretch is at the end of the slab
    unsigned depth;
    [[nodiscard]] Descent below(bool at_end) const { return {may_grow && at_end, depth + 1}; }
  };

  bool enter(NodeIndex index, BufferIndex buffer, Descent descent) {
    if (descent.depth > kDeepest) return false;
    if (nodes_[index].kind == Kind::kTemporal) return enter_temporal(index, buffer, descent);
    if (nodes_[index].kind == Kind::kSpatial) return enter_spatial(index, buffer, descent);
    return false;
  }

  bool enter_spatial(NodeIndex index, BufferIndex buffer, Descent descent) {
    const NodeIndex left = nodes_[index].children[0];
    const NodeIndex right = nodes_[index].children[1];
    if (!enter(left, buffer, descent.below(false)) && !enter(right, buffer, descent.below(true)))
      return false;
    note_entry(index, buffer);
    nodes_[index].size = nodes_[left].size + nodes_[right].size;
    return true;
  }

  bool enter_temporal(NodeIndex index, BufferIndex buffer, Descent descent) {
    if (!descent.may_grow && padded(buffer) > nodes_[index].size) return false;
    const std::vector<NodeIndex> in_the_way = children_alive_during(index, problem_.buffers[buffer].life);
    if (in_the_way.empty()) {
      append(index, buffer);
    } else if (in_the_way.size() == 1 && enter(in_the_way.front(), buffer, descent.below(true))) {
      adopt_size(index, in_the_way.front());
    } else if (!merges_ || !enter_merged(index, buffer, in_the_way, descent.may_grow)) {
      return false;
    }
    note_entry(index, buffer);
    return true;
  }

  // Bytes of a stretch that are free during a buffer's life.
  struct Gap {
    Bytes begin;
    Bytes end;
  };

  // Puts the buffer into a gap that all children in its way have in common: they become one child, with a stretch
  // of its own for the gap. Returns false if no gap is large enough.
  bool enter_merged(NodeIndex index, BufferIndex buffer, const std::vector<NodeIndex>& in_the_way,
                    bool may_grow) {
    const std::optional<Gap> gap = common_gap(index, buffer, in_the_way, may_grow);
    if (!gap) return false;
    const NodeIndex merged = merge(in_the_way, nodes_[index].size, *gap, buffer);
    std::vector<NodeIndex>& children = nodes_[index].children;
    std::erase_if(children, [&](NodeIndex child) {
      return std::find(in_the_way.begin(), in_the_way.end(), child) != in_the_way.end();
    });
    children.push_back(merged);
    adopt_size(index, merged);
    return true;
  }

  // Finds the lowest gap. It is cut at its two ends, so it keeps clear of buffers that live at other times and
  // would be cut through.
  [[nodiscard]] std::optional<Gap> common_gap(NodeIndex index, BufferIndex buffer,
                                              const std::vector<NodeIndex>& in_the_way, bool may_grow) const {
    constexpr Bytes kOpen = std::numeric_limits<Bytes>::max();
    const std::vector<Leaf> leaves = leaves_of(in_the_way, problem_.buffers[buffer].life);
    const Bytes top = may_grow ? kOpen : nodes_[index].size;
    for (const Gap& gap : gaps_between(leaves, top)) {
      const Gap clear{clear_up(leaves, gap.begin), gap.end == kOpen ? kOpen : clear_down(leaves, gap.end)};
      if (clear.end - clear.begin >= padded(buffer)) return clear;
    }
    return std::nullopt;
  }

  struct Leaf {
    Bytes begin;
    Bytes end;
    bool conflicts;
  };
  [[nodiscard]] std::vector<Leaf> leaves_of(const std::vector<NodeIndex>& children,
                                            const Lifetime& life) const {
    std::vector<Leaf> leaves;
    for (const NodeIndex child : children) {
      nodes_.each_leaf(child, [&](const Node& node, Offset offset) {
        leaves.push_back({offset, offset + node.size, node.times.overlaps(life)});
      });
    }
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.begin < b.begin; });
    return leaves;
  }
  [[nodiscard]] static std::vector<Gap> gaps_between(const std::vector<Leaf>& leaves, Bytes top) {
    std::vector<Gap> gaps;
    Bytes free_from = 0;
    for (const Leaf& leaf : leaves) {
      if (!leaf.conflicts) continue;
      if (leaf.begin > free_from) gaps.push_back({free_from, leaf.begin});
      free_from = std::max(free_from, leaf.end);
    }
    if (free_from < top) gaps.push_back({free_from, top});
    return gaps;
  }
  [[nodiscard]] static Bytes clear_up(const std::vector<Leaf>& leaves, Bytes at) {
    for (const Leaf& leaf : leaves) {
      if (leaf.begin < at && at < leaf.end) at = leaf.end;
    }
    return at;
  }
  [[nodiscard]] static Bytes clear_down(const std::vector<Leaf>& leaves, Bytes at) {
    for (auto leaf = leaves.rbegin(); leaf != leaves.rend(); ++leaf) {
      if (leaf->begin < at && at < leaf->end) at = leaf->begin;
    }
    return at;
  }

  // Returns one child in place of several, with the buffer in the gap.
  NodeIndex merge(const std::vector<NodeIndex>& children, Bytes size, const Gap& gap, BufferIndex buffer) {
    const Bytes begin = std::min(gap.begin, size);
    const Bytes end = std::min(gap.end, size);
    const NodeIndex below = nodes_.temporal(begin);
    const NodeIndex middle = nodes_.temporal(end - begin);
    const NodeIndex above = nodes_.temporal(size - end);
    for (const NodeIndex child : children) {
      const Nodes::Halves upper = nodes_.cut(child, end);
      if (upper.above != kNoNode) nodes_.adopt(above, upper.above);
      if (upper.below == kNoNode) continue;
      const Nodes::Halves lower = nodes_.cut(upper.below, begin);
      if (lower.below != kNoNode) nodes_.adopt(below, lower.below);
      if (lower.above != kNoNode) nodes_.adopt(middle, lower.above);
    }
    append(middle, buffer);
    note_entry(middle, buffer);
    const NodeIndex upper = size > end ? nodes_.spatial(middle, above) : middle;
    return begin > 0 ? nodes_.spatial(below, upper) : upper;
  }

  // Returns the children that live then; at most two where more do not matter.
  [[nodiscard]] std::vector<NodeIndex> children_alive_during(NodeIndex index, const Lifetime& life) const {
    std::vector<NodeIndex> found;
    if (!nodes_[index].times.overlaps(life)) return found;
    for (const NodeIndex child : nodes_[index].children) {
      if (nodes_[child].times.overlaps(life)) found.push_back(child);
      if (found.size() > 1 && !merges_) break;
    }
    return found;
  }

  void append(NodeIndex index, BufferIndex buffer) {
    const Bytes slot = nodes_[index].size;
    const Bytes size = padded(buffer);
    if (size > slot) widen(index, size);
    NodeIndex child = leaf(buffer);
    if (size < slot) child = nodes_.with_room(child, slot - size);
    nodes_[index].children.push_back(child);
  }

  // Takes over the size of a child that grew at the end of the slab: its siblings get the difference as room
  // above them.
  void adopt_size(NodeIndex index, NodeIndex grown) {
    const Bytes size = nodes_[grown].size;
    if (size > nodes_[index].size) widen(index, size);
  }

  void widen(NodeIndex index, Bytes size) {
    nodes_[index].size = size;
    for (std::size_t i = 0; i < nodes_[index].children.size(); ++i) {
      const NodeIndex child = nodes_[index].children[i];
      const Bytes room = size - nodes_[child].size;
      if (room == 0) continue;
      const NodeIndex wrapped = nodes_.with_room(child, room);
      nodes_[index].children[i] = wrapped;
    }
  }

  void grow_at_end(BufferIndex buffer) {
    const NodeIndex above = nodes_.temporal_of(leaf(buffer));
    const NodeIndex both = nodes_.spatial(root_, above);
    nodes_[both].times.add(problem_.buffers[buffer].life);
    root_ = nodes_.temporal_of(both);
  }

  void note_entry(NodeIndex index, BufferIndex buffer) {
    nodes_[index].times.add(problem_.buffers[buffer].life);
  }

  const Problem& problem_;
  const Bytes granule_;
  const bool merges_;
  Nodes nodes_;
  NodeIndex root_;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  std::optional<Offsets> offsets =
      allocation_tree_plan(problem, size_order(problem), limits, Children::kAlone);
  return offsets ? conclude(problem, *std::move(offsets)) : out_of_time(problem);
}

}  // namespace

std::optional<Offsets> allocation_tree_plan(const Problem& problem, std::span<const BufferIndex> order,
                                            const Limits& limits, Children children) {
  Budget budget = Budget::of_time(limits);
  Tree tree(problem, largest_alignment(problem), children);
  for (const BufferIndex index : order) {
    if (!budget.spend()) return std::nullopt;
    tree.insert(index);
  }
  return tree.offsets();
}

std::string refusal_of_mixed_alignments(const Problem& problem) {
  const Bytes largest = largest_alignment(problem);
  const auto divides = [largest](const Buffer& buffer) { return largest % buffer.alignment == 0; };
  if (!std::all_of(problem.buffers.begin(), problem.buffers.end(), divides)) {
    return "its places are sums of sizes, which takes alignments that all divide the largest one";
  }
  if (largest > kMostBytes / 2 / static_cast<Bytes>(problem.buffers.size() + 1)) {
    return "it rounds every size up to the largest alignment, which adds up to more than it can count";
  }
  return refusal_of_fixed_offsets(problem);
}

const Strategy kAllocationTree = {
    .name = "allocation-tree",
    .summary = "Inductor's tree of splits in time and in space; its places are sums of sizes",
    .cost = "O(n^2) at worst",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal_of_mixed_alignments,
    .solve = solve,
};

}  // namespace memo::planner
