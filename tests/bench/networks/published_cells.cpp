#include "tests/bench/networks/published_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/literature/mincost_flow.h"
#include "planner/literature/shared_objects.h"
#include "tests/bench/networks/networks.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::bench {
namespace {

using planner::Bytes;
using planner::Problem;

struct Reason {
  std::string_view network;
  std::string_view column;  // empty: all of the network's columns
  std::string_view sentence;
};

constexpr std::string_view kOtherBranches =
    "our graph differs: the paper's bound for objects is 8.955, and no order of the branches brings ours below 9.001";
constexpr std::string_view kOtherHeads =
    "our graph differs: the paper does not say which heads it counts, and its bound for objects is 1 % higher";
constexpr std::string_view kMoreBytes =
    "our graph has 3 % more bytes; the paper does not say which layers it leaves out";

constexpr auto kReasons = std::to_array<Reason>({
    {"MobileNet v2", "shared-size-improved",
     "ours is lower: the paper does not say which of two pairs with equally short idle times comes first"},
    {"DeepLab v3", "mincost-flow", kMoreBytes},
    {"DeepLab v3", "naive", kMoreBytes},
    {"Inception v3", "", kOtherBranches},
    {"PoseNet", "", kOtherHeads},
    {"BlazeFace", "",
     "another graph: the released model; the paper's has a third of its bytes and is unpublished"},
});

std::string_view reason_for(std::string_view network, std::string_view column) {
  const auto found = std::find_if(kReasons.begin(), kReasons.end(), [&](const Reason& reason) {
    return reason.network == network && (reason.column.empty() || reason.column == column);
  });
  return found == kReasons.end() ? std::string_view{} : found->sentence;
}

Bytes sum_of_sizes(const Problem& problem) {
  Bytes total = 0;
  for (const planner::Buffer& buffer : problem.buffers) total += buffer.size;
  return total;
}

// Collects the cells of one network.
class Cells {
 public:
  explicit Cells(const Network& network)
      : network_(network), problem_(network.make()), row_{network.name, network.name != "BlazeFace", {}} {}

  Cells& by(std::string_view strategy, double published) {
    return add(strategy, planner::find_any(strategy)->solve(problem_, {}).height, published);
  }
  Cells& add(std::string_view column, Bytes ours, double published) {
    Cell cell{.column = column, .ours = ours, .published = published, .reason = {}};
    if (!cell.agrees()) cell.reason = reason_for(network_.name, column);
    row_.cells.push_back(cell);
    return *this;
  }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] Row row() && { return std::move(row_); }

 private:
  const Network& network_;
  Problem problem_;
  Row row_;
};

Row objects_row(const Network& network) {
  Cells cells(network);
  const PublishedObjects& published = network.objects;
  const Bytes flow = planner::object_bytes(cells.problem(), planner::cheapest_takeovers(cells.problem(), {}));
  cells.by("shared-size", published.greedy_size)
      .by("shared-size-improved", published.greedy_size_improved)
      .by("shared-breadth", published.greedy_breadth)
      .by("greedy-order", published.greedy_order)
      .add("mincost-flow", flow, published.mincost_flow)
      .add("lower bound", planner::shared_objects_bound(cells.problem()), published.lower_bound)
      .add("naive", sum_of_sizes(cells.problem()), network.published_naive);
  return std::move(cells).row();
}

Row offsets_row(const Network& network) {
  Cells cells(network);
  const PublishedOffsets& published = network.offsets;
  cells.by("greedy-size", published.greedy_size)
      .by("greedy-breadth", published.greedy_breadth)
      .by("greedy-execution", published.greedy_execution)
      .by("strip-packing", published.strip_packing)
      .add("lower bound", planner::peak_live_bytes(cells.problem()), published.lower_bound)
      .add("naive", sum_of_sizes(cells.problem()), network.published_naive);
  return std::move(cells).row();
}

std::vector<Row> table_of(Row (*row)(const Network&)) {
  std::vector<Row> rows;
  for (const Network& network : networks()) rows.push_back(row(network));
  return rows;
}

}  // namespace

bool Cell::agrees() const {
  constexpr double kMiB = 1024.0 * 1024.0;
  constexpr double kLastDecimal = 0.0011;
  return std::abs(static_cast<double>(ours) / kMiB - published) < kLastDecimal;
}

std::vector<Row> shared_objects_table() {
  return table_of(objects_row);
}

std::vector<Row> offsets_table() {
  return table_of(offsets_row);
}

}  // namespace memo::bench
