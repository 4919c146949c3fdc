#include "planner/tool/report/call_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace memo::planner {
namespace {

// Returns the name without the characters that end a name or a line of folded stacks.
std::string folded_name(std::string name) {
  std::ranges::replace(name, ';', ':');
  std::ranges::replace(name, '\n', ' ');
  return name;
}

std::vector<std::string> folded_paths(const CallTree& tree) {
  std::vector<std::string> paths;
  paths.reserve(tree.nodes().size());
  for (const CallNode& node : tree.nodes()) {
    std::string name = folded_name(tree.names()[node.name]);
    paths.push_back(node.parent == CallNode::kNoParent ? std::move(name) : paths[node.parent] + ";" + name);
  }
  return paths;
}

}  // namespace

std::uint32_t CallTree::child(std::uint32_t parent, std::uint32_t name) {
  const std::uint64_t key = std::uint64_t{parent} << 32 | name;
  const auto [at, fresh] = children_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({.name = name, .parent = parent});
  return at->second;
}

void CallTree::add(std::uint32_t node, std::size_t allocations, Bytes bytes) {
  nodes_[node].allocations += allocations;
  nodes_[node].bytes += bytes;
}

std::vector<Bytes> bytes_with_callees(const CallTree& tree) {
  std::vector<Bytes> sums;
  sums.reserve(tree.nodes().size());
  for (const CallNode& node : tree.nodes()) sums.push_back(node.bytes);
  for (std::size_t i = sums.size(); i-- > 0;) {
    const std::uint32_t parent = tree.nodes()[i].parent;
    if (parent != CallNode::kNoParent) sums[parent] += sums[i];
  }
  return sums;
}

std::string folded(const CallTree& tree) {
  const std::vector<std::string> paths = folded_paths(tree);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (tree.nodes()[i].bytes > 0) lines.push_back(fmt::format("{} {}\n", paths[i], tree.nodes()[i].bytes));
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace memo::planner
