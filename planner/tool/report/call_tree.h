// Sums allocations along paths of names, such as call stacks: the data of flame graphs and of folded stacks.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "planner/problem/problem.h"
#include "planner/tool/report/name_table.h"

namespace memo::planner {

// A path of names. `allocations` and `bytes` are those of this very path, without the longer ones.
struct CallNode {
  static constexpr std::uint32_t kNoParent = UINT32_MAX;

  std::uint32_t name = 0;    // an index into CallTree::names()
  std::uint32_t parent = 0;  // the path without its last name; kNoParent for a path of one name
  std::size_t allocations = 0;
  Bytes bytes = 0;
};

class CallTree {
 public:
  // Returns the number of a name.
  std::uint32_t name(const std::string& text) { return names_.add(text); }

  // Returns the path that is one name longer than `parent`.
  std::uint32_t child(std::uint32_t parent, std::uint32_t name);

  void add(std::uint32_t node, std::size_t allocations, Bytes bytes);

  // Returns the paths. Each comes after the one that it begins with.
  [[nodiscard]] const std::vector<CallNode>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_.names(); }

 private:
  NameTable names_;
  std::vector<CallNode> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // parent << 32 | name → node
};

// Returns the bytes of each path together with all that begin with it.
[[nodiscard]] std::vector<Bytes> bytes_with_callees(const CallTree& tree);

// Returns a line for each path that asked for bytes, sorted: "main;forward;malloc_rows 4096". Tools that draw flame
// graphs read this.
[[nodiscard]] std::string folded(const CallTree& tree);

}  // namespace memo::planner
