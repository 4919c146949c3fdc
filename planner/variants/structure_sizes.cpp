#include "planner/variants/structure_sizes.h"

#include <algorithm>
#include <unordered_set>

#include "planner/variants/structure_nodes.h"

namespace memo::planner {
namespace {

constexpr Bytes kAbsent = -1;

// The columns of a table with a row for each shape. Each allocation has a column, and each loop one for its iterations.
class Table {
 public:
  explicit Table(const StructureNodes& structure) : columns_(structure.count) {
    for (const auto& run : structure.runs)
      for (const Member* member : run->members())
        if (known_.insert(member->fingerprint).second) add(*run, *member->pass);
  }

  // Returns the columns in which every shape has a size.
  [[nodiscard]] std::vector<SizesOfPasses> complete() && {
    std::erase_if(columns_, [](const SizesOfPasses& column) {
      return column.empty() || std::find(column.begin(), column.end(), kAbsent) != column.end();
    });
    return std::move(columns_);
  }

 private:
  void add(const ShapeRun& run, const Pass& pass) {
    for (SizesOfPasses& column : columns_) column.push_back(kAbsent);
    for (std::size_t i = 0; i < run.made.size(); ++i) {
      const Spot& spot = run.made[i];
      raise(columns_[spot.node->number], pass.allocations[i].size);
      for (const Node* loop = spot.node->around; loop != nullptr; loop = loop->around)
        raise(columns_[loop->number], Bytes{spot.turns[loop->level].number} + 1);
    }
  }

  static void raise(SizesOfPasses& column, Bytes size) { column.back() = std::max(column.back(), size); }

  std::vector<SizesOfPasses> columns_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace

std::vector<SizesOfPasses> sizes_of_shapes(const Structure& structure) {
  return Table(nodes_of(structure)).complete();
}

}  // namespace memo::planner
