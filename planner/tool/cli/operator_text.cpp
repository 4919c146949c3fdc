#include "planner/tool/cli/operator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using planner::human_bytes;

double percent(planner::Bytes part, planner::Bytes all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

// Writes the paths of a tree.
class OperatorTree {
 public:
  explicit OperatorTree(const planner::CallTree& tree)
      : tree_(tree), bytes_(planner::bytes_with_callees(tree)), children_(tree.nodes().size() + 1) {
    for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
      const std::uint32_t parent = tree.nodes()[i].parent;
      children_[parent == planner::CallNode::kNoParent ? root() : parent].push_back(i);
      if (parent == planner::CallNode::kNoParent) all_ += bytes_[i];
    }
  }

  [[nodiscard]] std::string text() {
    add_below(root(), 0);
    if (left_out_ > 0) text_ += fmt::format("  and {} paths of less than 1 %\n", left_out_);
    return text_;
  }

 private:
  [[nodiscard]] std::size_t root() const { return tree_.nodes().size(); }

  // Writes the path and those in it, as long as each has all its bytes from one that it calls. Returns the last.
  std::uint32_t add_chain(std::uint32_t node) {
    text_ += name_of(node);
    while (tree_.nodes()[node].bytes == 0 && children_[node].size() == 1) {
      node = children_[node].front();
      text_ += " › " + name_of(node);
    }
    text_ += '\n';
    return node;
  }

  [[nodiscard]] const std::string& name_of(std::uint32_t node) const {
    return tree_.names()[tree_.nodes()[node].name];
  }

  void add_below(std::size_t node, std::size_t depth) {
    std::vector<std::uint32_t>& children = children_[node];
    std::ranges::stable_sort(children, std::ranges::greater{},
                             [this](std::uint32_t child) { return bytes_[child]; });
    for (const std::uint32_t child : children) {
      if (bytes_[child] * 100 < all_ || bytes_[child] == 0) {
        ++left_out_;
        continue;
      }
      text_ += fmt::format("  {:>12} {:>7.1f} %  {}", human_bytes(bytes_[child]),
                           percent(bytes_[child], all_), std::string(2 * depth, ' '));
      add_below(add_chain(child), depth + 1);
    }
  }

  const planner::CallTree& tree_;
  std::vector<planner::Bytes> bytes_;                 // of each path with all that begin with it
  std::vector<std::vector<std::uint32_t>> children_;  // the last are the paths of one name
  planner::Bytes all_ = 0;
  std::size_t left_out_ = 0;
  std::string text_;
};

}  // namespace

std::string operator_tree(const planner::CallTree& tree) {
  return OperatorTree(tree).text();
}

std::string describe_outside(const planner::TraceSummary& summary) {
  planner::Bytes all = 0;
  for (const planner::Total& total : summary.outermost) all += total.bytes;
  const planner::Total outside = planner::outside_operators(summary);
  return fmt::format("outside of all operators: {} of {}, {:.1f} % of the bytes\n",
                     human_bytes(outside.bytes), human_bytes(all), percent(outside.bytes, all));
}

}  // namespace memo::cli
