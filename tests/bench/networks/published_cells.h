// The cells of Pisarchyk & Lee's two tables, each with our figure, and the reason where the two differ.
#pragma once

#include <string_view>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

struct Cell {
  std::string_view column;
  planner::Bytes ours;
  double published;         // in MiB
  std::string_view reason;  // why the two differ; empty where no reason is known

  // The paper prints three decimals, and some are rounded up.
  [[nodiscard]] bool agrees() const;
};

struct Row {
  std::string_view network;
  bool same_graph;  // false: no figure can be compared
  std::vector<Cell> cells;
};

[[nodiscard]] std::vector<Row> shared_objects_table();
[[nodiscard]] std::vector<Row> offsets_table();

}  // namespace memo::bench
