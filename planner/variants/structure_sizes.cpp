#include "planner/variants/structure_sizes.h"

#include <algorithm>
#include <unordered_set>

#include "planner/variants/size_formulas.h"
#include "planner/variants/structure_parts.h"
#include "planner/variants/varying_sizes.h"

namespace memo::planner {
namespace {

constexpr Bytes kAbsent = -1;
constexpr std::size_t kFewestShapes = 8;  // fewer may lie on a line by chance

// A size of each shape, and the demands of the variant that have it.
struct Column {
  SizesOfPasses sizes;
  std::vector<std::uint32_t> demands;  // none for the iterations of a loop
};

// The columns of a table with a row for each shape. A part has a column for its iterations, and one for each allocation.
class Table {
 public:
  explicit Table(const StructureParts& structure) : structure_(&structure) {
    std::size_t columns = 0;
    for (const Part& part : structure.parts) {
      first_.push_back(columns);
      columns += 1 + part.demands;
    }
    columns_.resize(columns);
    for (const ShapeRun& run : structure.runs)
      for (const Member* member : run.members())
        if (known_.insert(member->fingerprint).second) add(run, *member->pass);
  }

  // Says which demands of the variant the columns are of: the parts follow one another in both.
  void find_demands(const Variant& variant) {
    std::uint32_t first = 0;
    std::size_t loop = 0;
    for (std::size_t number = 0; number < first_.size(); ++number) {
      const Part& part = structure_->parts[number];
      const bool repeats = part.is_loop && part.demands + part.scopes != 0;
      const std::uint32_t period = repeats ? variant.loops[loop++].period : 1;
      for (std::uint32_t demand = 0; demand < part.demands * period; ++demand)
        columns_[first_[number] + 1 + demand % part.demands].demands.push_back(first + demand);
      first += part.demands * period;
    }
  }

  [[nodiscard]] std::vector<Column> columns() && { return std::move(columns_); }

 private:
  void add(const ShapeRun& run, const Pass& pass) {
    for (Column& column : columns_) column.sizes.push_back(kAbsent);
    for (std::size_t i = 0; i < run.made.size(); ++i) {
      const Spot& spot = run.made[i];
      raise(columns_[first_[spot.entry] + 1 + spot.place], pass.allocations[i].size);
      if (structure_->part_of(spot).is_loop) raise(columns_[first_[spot.entry]], Bytes{spot.iteration} + 1);
    }
  }

  static void raise(Column& column, Bytes size) { column.sizes.back() = std::max(column.sizes.back(), size); }

  const StructureParts* structure_;
  std::vector<std::size_t> first_;  // column of each part
  std::vector<Column> columns_;
  std::unordered_set<std::uint64_t> known_;
};

std::vector<Column> columns_of(const Structure& structure, const Variant& variant) {
  const StructureParts parts = parts_of(structure);
  Table table(parts);
  table.find_demands(variant);
  return std::move(table).columns();
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

void explain_sizes(const Structure& structure, Variant& variant) {
  const std::vector<Column> columns = columns_of(structure, variant);
  const std::vector<SizesOfPasses> numbers = varying_numbers(complete(columns));
  variant.range.varying = ranges_of(numbers);
  if (!have_formulas(numbers)) return;
  for (const Column& column : columns) {
    const SizeFormula formula = formula_in(column, numbers);
    for (const std::uint32_t demand : column.demands) variant.demands[demand].formula = formula;
  }
}

}  // namespace memo::planner
