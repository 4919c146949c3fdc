#include "planner/layout/small_cells.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "runtime/formats/plan_format.h"
#include "runtime/formats/rounding.h"

namespace memo::planner {
namespace {

// Returns the size of the class: multiples of 64 up to 512 bytes, then eighths of a power of two, so that at
// most an eighth of a cell is unused.
std::uint64_t class_bytes(Bytes size) {
  const auto bytes = static_cast<std::uint64_t>(std::max<Bytes>(size, 1));
  const std::uint64_t step = std::max<std::uint64_t>(kGranule, std::bit_floor(bytes - 1) / 8);
  return runtime::round_up(bytes, step);
}

struct Moment {
  Time time;
  bool birth;  // deaths first: a block that begins when another ends may take its cell
  std::uint32_t block;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

std::vector<Moment> moments(std::span<const SmallBlock> blocks) {
  std::vector<Moment> all;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    all.push_back({blocks[block].life.begin, true, block});
    all.push_back({blocks[block].life.end, false, block});
  }
  std::sort(all.begin(), all.end());
  return all;
}

class FreeCells {
 public:
  void give(std::uint32_t cell, std::uint64_t bytes) { by_class_[bytes].push_back(cell); }

  // Takes a cell of this class, else of a class up to twice as large. Returns -1 where there is none.
  std::int64_t take(std::uint64_t bytes) {
    for (auto it = by_class_.lower_bound(bytes); it != by_class_.end() && it->first <= 2 * bytes; ++it) {
      if (it->second.empty()) continue;
      const std::uint32_t cell = it->second.back();
      it->second.pop_back();
      return cell;
    }
    return -1;
  }

 private:
  std::map<std::uint64_t, std::vector<std::uint32_t>> by_class_;  // idle; freed last, taken first
};

}  // namespace

SmallCells assign_small_cells(std::span<const SmallBlock> blocks) {
  SmallCells result{.cells = {}, .cell_of = std::vector<std::uint32_t>(blocks.size())};
  FreeCells idle;
  for (const Moment& moment : moments(blocks)) {
    std::uint32_t& cell = result.cell_of[moment.block];
    if (!moment.birth) {
      idle.give(cell, result.cells[cell]);
      continue;
    }
    const std::uint64_t bytes = class_bytes(blocks[moment.block].size);
    const std::int64_t found = idle.take(bytes);
    cell = found >= 0 ? static_cast<std::uint32_t>(found) : static_cast<std::uint32_t>(result.cells.size());
    if (found < 0) result.cells.push_back(bytes);
  }
  return result;
}

}  // namespace memo::planner
