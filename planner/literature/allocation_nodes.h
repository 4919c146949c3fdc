// The nodes of the allocation tree (allocation_tree.h), and the operations on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner::tree {

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
  void add(const Times& others) {
    for (const Lifetime& life : others.times_) add(life);
  }

 private:
  [[nodiscard]] std::vector<Lifetime>::const_iterator first_ending_after(Time time) const {
    return std::partition_point(times_.begin(), times_.end(),
                                [time](const Lifetime& life) { return life.end <= time; });
  }
  std::vector<Lifetime> times_;
};

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};
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
    node.times.add(nodes_[right].times);
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
    each_leaf(root, [&](const Node& leaf, Offset offset) { offsets[leaf.buffer] = offset; });
    return offsets;
  }

  // Calls visit(node, offset) for each buffer below `root`, whose stretch begins at 0.
  template <typename Visit>
  void each_leaf(NodeIndex root, Visit visit) const {
    std::vector<std::pair<NodeIndex, Offset>> open{{root, 0}};
    while (!open.empty()) {
      const auto [index, offset] = open.back();
      open.pop_back();
      const Node& node = nodes_[index];
      if (node.kind == Kind::kBuffer) visit(node, offset);
      if (node.kind == Kind::kTemporal) {
        for (const NodeIndex child : node.children) open.emplace_back(child, offset);
      }
      if (node.kind == Kind::kSpatial) {
        open.emplace_back(node.children[0], offset);
        open.emplace_back(node.children[1], offset + nodes_[node.children[0]].size);
      }
    }
  }

  // The two parts of a stretch that was cut at an offset; kNoNode for a part without bytes.
  struct Halves {
    NodeIndex below = kNoNode;
    NodeIndex above = kNoNode;
  };
  // Cuts a stretch at `at`, which lies inside no buffer.
  Halves cut(NodeIndex index, Bytes at) {
    if (at <= 0) return {.below = kNoNode, .above = index};
    if (at >= nodes_[index].size) return {.below = index, .above = kNoNode};
    return nodes_[index].kind == Kind::kSpatial ? cut_spatial(index, at) : cut_temporal(index, at);
  }
  void adopt(NodeIndex temporal, NodeIndex child) {
    nodes_[temporal].children.push_back(child);
    nodes_[temporal].times.add(Times(nodes_[child].times));
  }

 private:
  Halves cut_spatial(NodeIndex index, Bytes at) {
    const NodeIndex left = nodes_[index].children[0];
    const NodeIndex right = nodes_[index].children[1];
    const Bytes middle = nodes_[left].size;
    if (at == middle) return {.below = left, .above = right};
    if (at < middle) {
      const Halves halves = cut(left, at);
      return {.below = halves.below, .above = spatial(halves.above, right)};
    }
    const Halves halves = cut(right, at - middle);
    return {.below = spatial(left, halves.below), .above = halves.above};
  }
  Halves cut_temporal(NodeIndex index, Bytes at) {
    const std::vector<NodeIndex> children = nodes_[index].children;
    const Halves halves{.below = temporal(at), .above = temporal(nodes_[index].size - at)};
    for (const NodeIndex child : children) {
      const Halves parts = cut(child, at);
      adopt(halves.below, parts.below);
      adopt(halves.above, parts.above);
    }
    return halves;
  }

  NodeIndex add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<NodeIndex>(nodes_.size() - 1);
  }

  std::vector<Node> nodes_;
};

}  // namespace memo::planner::tree
