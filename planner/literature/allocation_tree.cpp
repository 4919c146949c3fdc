#include "planner/literature/allocation_tree.h"

#include <algorithm>
#include <cstdint>

#include "planner/placing/budget.h"
#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/bounds.h"
#include "planner/problem/soundness.h"
#include "planner/solve/greedy_size.h"

namespace memo::planner {
namespace {

Bytes largest_alignment(const Problem& problem) {
  Bytes largest = 1;
  for (const Buffer& buffer : problem.buffers) largest = std::max(largest, buffer.alignment);
  return largest;
}

// Disjoint times in order, in which the buffers of a node live.
class Times {
 public:
  [[nodiscard]] bool overlaps(const Lifetime& life) const {
    const auto first = first_ending_after(life.begin);
    return first != times_.end() && first->begin < life.end;
  }
  void add(Lifetime life) {
    auto first = first_ending_after(life.begin - 1);  // touching times unite
    auto last = first;
    for (; last != times_.end() && last->begin <= life.end; ++last) {
      life = {std::min(life.begin, last->begin), std::max(life.end, last->end)};
    }
    first = times_.erase(first, last);
    times_.insert(first, life);
  }

 private:
  [[nodiscard]] std::vector<Lifetime>::const_iterator first_ending_after(Time time) const {
    return std::partition_point(times_.begin(), times_.end(),
                                [time](const Lifetime& life) { return life.end <= time; });
  }
  std::vector<Lifetime> times_;
};

using NodeIndex = std::uint32_t;
enum class Kind : std::uint8_t { kEmpty, kBuffer, kTemporal, kSpatial };

struct Node {
  Kind kind = Kind::kEmpty;
  BufferIndex buffer = 0;           // of a kBuffer
  Bytes size = 0;                   // of the node's stretch of addresses
  Times times;                      // of the buffers below it
  std::vector<NodeIndex> children;  // left and right of a kSpatial
};

// Nodes live in one vector and name each other by index.
class Nodes {
 public:
  [[nodiscard]] Node& operator[](NodeIndex index) { return nodes_[index]; }
  [[nodiscard]] const Node& operator[](NodeIndex index) const { return nodes_[index]; }

  NodeIndex temporal(Bytes size) {
    return add({.kind = Kind::kTemporal, .size = size, .times = {}, .children = {}});
  }
  NodeIndex temporal_of(NodeIndex child) {
    const NodeIndex index = temporal(nodes_[child].size);
    nodes_[index].times = nodes_[child].times;
    nodes_[index].children = {child};
    return index;
  }
  NodeIndex leaf(BufferIndex buffer, Bytes size, const Lifetime& life) {
    Node node{.kind = Kind::kBuffer, .buffer = buffer, .size = size, .times = {}, .children = {}};
    node.times.add(life);
    return add(std::move(node));
  }
  NodeIndex spatial(NodeIndex left, NodeIndex right) {
    Node node{
        .kind = Kind::kSpatial, .size = nodes_[left].size + nodes_[right].size, .times = {}, .children = {}};
    node.times = nodes_[left].times;
    node.children = {left, right};
    return add(std::move(node));
  }
  // Returns a node that holds `below` with free room above it.
  NodeIndex with_room(NodeIndex below, Bytes room) {
    const NodeIndex left = temporal_of(below);
    const NodeIndex right = temporal(room);
    return spatial(left, right);
  }

  // Returns where the buffers below `root` lie.
  [[nodiscard]] Offsets offsets(NodeIndex root, std::size_t buffers) const {
    Offsets offsets(buffers);
    std::vector<std::pair<NodeIndex, Offset>> open{{root, 0}};
    while (!open.empty()) {
      const auto [index, offset] = open.back();
      open.pop_back();
      const Node& node = nodes_[index];
      if (node.kind == Kind::kBuffer) offsets[node.buffer] = offset;
      if (node.kind == Kind::kTemporal) {
        for (const NodeIndex child : node.children) open.emplace_back(child, offset);
      }
      if (node.kind == Kind::kSpatial) {
        open.emplace_back(node.children[0], offset);
        open.emplace_back(node.children[1], offset + nodes_[node.children[0]].size);
      }
    }
    return offsets;
  }

 private:
  NodeIndex add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<NodeIndex>(nodes_.size() - 1);
  }

  std::vector<Node> nodes_;
};

// Gives up a descent deeper than kDeepest, as the strategy may do anywhere: a slab that grew many times is a deep
// tree, and the stack is limited.
class Tree {
 public:
  Tree(const Problem& problem, Bytes granule)
      : problem_(problem), granule_(granule), root_(nodes_.temporal(0)) {}

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
    if (in_the_way.size() > 1) return false;
    if (in_the_way.empty()) {
      append(index, buffer);
    } else if (!enter(in_the_way.front(), buffer, descent.below(true))) {
      return false;
    } else {
      adopt_size(index, in_the_way.front());
    }
    note_entry(index, buffer);
    return true;
  }

  // Returns at most two children: more do not matter.
  [[nodiscard]] std::vector<NodeIndex> children_alive_during(NodeIndex index, const Lifetime& life) const {
    std::vector<NodeIndex> found;
    if (!nodes_[index].times.overlaps(life)) return found;
    for (const NodeIndex child : nodes_[index].children) {
      if (nodes_[child].times.overlaps(life)) found.push_back(child);
      if (found.size() > 1) break;
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
  Nodes nodes_;
  NodeIndex root_;
};

Outcome solve(const Problem& problem, const Limits& limits) {
  Budget budget = Budget::of_time(limits);
  Tree tree(problem, largest_alignment(problem));
  for (const BufferIndex index : size_order(problem)) {
    if (!budget.spend()) return out_of_time(problem);
    tree.insert(index);
  }
  return conclude(problem, tree.offsets());
}

std::string refusal(const Problem& problem) {
  const Bytes largest = largest_alignment(problem);
  const auto divides = [largest](const Buffer& buffer) { return largest % buffer.alignment == 0; };
  if (!std::all_of(problem.buffers.begin(), problem.buffers.end(), divides)) {
    return "its places are sums of sizes, which takes alignments that all divide the largest one";
  }
  if (largest > kMostBytes / 2 / static_cast<Bytes>(problem.buffers.size() + 1)) {
    return "it rounds every size up to the largest alignment, which adds up to more than it can count";
  }
  return refuses_fixed_offsets(problem);
}

}  // namespace

const Strategy kAllocationTree = {
    .name = "allocation-tree",
    .summary = "Inductor's tree of splits in time and in space; its places are sums of sizes",
    .cost = "O(n^2) at worst",
    .guarantee = "none",
    .exact = false,
    .refusal = refusal,
    .solve = solve,
};

}  // namespace memo::planner
