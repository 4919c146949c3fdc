// Tells whether two descriptions mean one binary. A build-id names the code; a path counts only where neither has a
// build-id.
#pragma once

namespace memo::planner {

// Takes any two types with the strings `build_id` and `path`: the modules of traces and of plans.
template <typename One, typename Other>
[[nodiscard]] bool is_same_module(const One& one, const Other& other) {
  if (one.build_id.empty()) return other.build_id.empty() && one.path == other.path;
  return one.build_id == other.build_id;
}

}  // namespace memo::planner
