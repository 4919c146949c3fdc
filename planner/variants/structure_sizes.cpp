#include "planner/variants/structure_sizes.h"

#include <algorithm>
#include <unordered_set>

#include "planner/variants/structure_parts.h"

namespace memo::planner {
namespace {

constexpr Bytes kSmall = 1024;  // sizes of texts and nodes vary by a few bytes, whatever the shape
constexpr Bytes kAbsent = -1;

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
      raise(columns_[first_[spot.entry] + 1 + spot.place], pass.allocations[i].size);
      if (structure_->part_of(spot).is_loop) raise(columns_[first_[spot.entry]], Bytes{spot.iteration} + 1);
    }
  }

  static void raise(SizesOfPasses& column, Bytes size) { column.back() = std::max(column.back(), size); }

  const StructureParts* structure_;
  std::vector<std::size_t> first_;  // column of each part
  std::vector<SizesOfPasses> columns_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace

std::vector<SizesOfPasses> sizes_of_shapes(const Structure& structure) {
  const StructureParts parts = parts_of(structure);
  return Table(parts).complete();
}

}  // namespace memo::planner
