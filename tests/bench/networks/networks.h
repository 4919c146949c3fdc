// The six networks of Pisarchyk & Lee's tables, made from the layer shapes their authors published, with what the
// paper reports for them. All sizes of the paper are in MiB.
#pragma once

#include <span>
#include <string_view>

#include "planner/problem/problem.h"

namespace memo::bench {

// A line of the paper's tables: one figure for each of the paper's strategies.
struct PublishedObjects {
  double greedy_size, greedy_size_improved, greedy_breadth, greedy_order, mincost_flow, lower_bound;
};
struct PublishedOffsets {
  double greedy_size, greedy_breadth, greedy_execution, strip_packing, lower_bound;
};

struct Network {
  std::string_view name;
  planner::Problem (*make)();
  double published_naive;  // the sum of all tensors
  PublishedObjects objects;
  PublishedOffsets offsets;
  std::string_view same_graph;  // how far the graph is the paper's, by its sums and bounds
};

[[nodiscard]] std::span<const Network> networks();

[[nodiscard]] planner::Problem mobilenet_v1();
[[nodiscard]] planner::Problem mobilenet_v2();
[[nodiscard]] planner::Problem deeplab_v3();
[[nodiscard]] planner::Problem inception_v3();
[[nodiscard]] planner::Problem posenet();
[[nodiscard]] planner::Problem blazeface();

}  // namespace memo::bench
