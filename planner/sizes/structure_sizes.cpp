#include "planner/sizes/structure_sizes.h"

#include <algorithm>
#include <unordered_set>

#include "planner/lives/unrolled.h"
#include "planner/sizes/size_formulas.h"
#include "planner/sizes/varying_sizes.h"

namespace memo::planner {
namespace {

constexpr Bytes kAbsent = -1;
constexpr std::size_t kFewestShapes = 8;  // fewer may lie on a line by chance

// A size of each shape, and the demands of the variant that have it.
struct Column {
  SizesOfPasses sizes;
  std::vector<std::uint32_t> demands;  // none for the iterations of a loop
};

// The columns of a table with a row for each shape. Each allocation has a column, and each loop one for its iterations.
class Table {
 public:
  explicit Table(const Tree& tree) : columns_(tree.count) {
    for (const ShapeRun& run : tree.runs)
      for (const Member* member : run.members())
        if (known_.insert(member->fingerprint).second) add(run, *member->pass);
  }

  [[nodiscard]] std::vector<Column> columns() && { return std::move(columns_); }

 private:
  void add(const ShapeRun& run, const Pass& pass) {
    for (Column& column : columns_) column.sizes.push_back(kAbsent);
    for (std::size_t i = 0; i < run.made.size(); ++i) {
      const Spot& spot = run.made[i];
      raise(columns_[spot.node->number], pass.allocations[i].size);
      for (const Node* loop = spot.node->around; loop != nullptr; loop = loop->around)
        raise(columns_[loop->number], Bytes{spot.iterations[loop->level].number} + 1);
    }
  }

  static void raise(Column& column, Bytes size) { column.sizes.back() = std::max(column.sizes.back(), size); }

  std::vector<Column> columns_;
  std::unordered_set<std::uint64_t> known_;
};

std::vector<Column> columns_of(const Tree& tree) {
  std::vector<Column> columns = Table(tree).columns();
  const std::vector<std::uint32_t> node_of = nodes_of_demands(tree);
  for (std::uint32_t demand = 0; demand < node_of.size(); ++demand)
    columns[node_of[demand]].demands.push_back(demand);
  return columns;
}

// Returns the sizes of the columns in which every shape has one.
std::vector<SizesOfPasses> complete(const std::vector<Column>& columns) {
  std::vector<SizesOfPasses> sizes;
  for (const Column& column : columns)
    if (std::find(column.sizes.begin(), column.sizes.end(), kAbsent) == column.sizes.end())
      sizes.push_back(column.sizes);
  return sizes;
}

// Returns the numbers of the shapes that have a size in the column.
SizesOfPasses where_present(const SizesOfPasses& numbers, const Column& column) {
  SizesOfPasses present;
  for (std::size_t shape = 0; shape < numbers.size(); ++shape)
    if (column.sizes[shape] != kAbsent) present.push_back(numbers[shape]);
  return present;
}

// Returns the formula of a column. A step that some shapes lack, such as a copy of several texts, follows the same numbers.
SizeFormula formula_in(const Column& column, const std::vector<SizesOfPasses>& numbers) {
  const SizesOfPasses sizes = where_present(column.sizes, column);
  if (sizes.size() < kFewestShapes) return {};
  std::vector<SizesOfPasses> of_these;
  of_these.reserve(numbers.size());
  for (const SizesOfPasses& one : numbers) of_these.push_back(where_present(one, column));
  return formula_of(sizes, of_these);
}

}  // namespace

void explain_sizes(const Tree& tree, Variant& variant) {
  const std::vector<Column> columns = columns_of(tree);
  const std::vector<SizesOfPasses> numbers = varying_numbers(complete(columns));
  variant.range.varying = ranges_of(numbers);
  if (!have_formulas(numbers)) return;
  for (const Column& column : columns) {
    const SizeFormula formula = formula_in(column, numbers);
    for (const std::uint32_t demand : column.demands) variant.demands[demand].formula = formula;
  }
}

}  // namespace memo::planner
