#include "planner/layout/zones.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "planner/layout/selection.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

// Blocks below the limit go to cells. The arena takes cells faster than large slots, and a variant may have
// only so many large slots. But cells do not share bytes with their neighbours as large slots do, so smaller
// limits give lower slabs. In bytes.
constexpr std::array<Bytes, 8> kSmallLimits = {1 << 20, 1 << 18, 1 << 16, 1 << 14,
                                               1 << 12, 1 << 10, 1 << 8,  0};
constexpr double kWorthASmallerLimit = 0.005;  // share of the height that a smaller limit must save

// Blocks below this size, in bytes, are objects rather than tensors, and each tensor has several. Where objects
// come in another order than planned, the arena can take any idle cell for them, and nothing else is in their
// way. That is worth a few pages.
constexpr Bytes kObjectLimit = 1 << 8;
constexpr Bytes kObjectsMayCost = 16 << 10;

// A cell cannot become larger than kMaxCellBytes. A growing block gets a cell only if there is room for this
// many times its size.
constexpr Bytes kRoomToGrow = 16;

bool is_in_cell(const Demand& demand, Bytes limit) {
  if (demand.zone != PlanZone::kLarge) return demand.zone == PlanZone::kCell;
  const Bytes size = demand.growth > 0 ? demand.size * kRoomToGrow : demand.size;
  return size < limit && demand.alignment <= static_cast<Bytes>(kGranule);
}

// Returns the planned slots that no cell can hold.
std::vector<std::uint32_t> large_slots(const Variant& variant, Bytes limit) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < variant.demands.size(); ++slot)
    if (has_place(variant.demands[slot]) && !is_in_cell(variant.demands[slot], limit)) slots.push_back(slot);
  return slots;
}

// Returns true if the large block needs no other place than the large block before it had. In a loop a block may live before its slot.
bool goes_on(const Variant& variant, const Demand& before, const Demand& demand) {
  return variant.loops.empty() && before.life.end <= demand.life.begin && before.size == demand.size &&
         before.alignment == demand.alignment && before.growth == demand.growth;
}

// Marks the largest, so many of them.
std::vector<bool> largest_of(const std::vector<Buffer>& buffers, std::size_t count) {
  std::vector<std::uint32_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>{},
                           [&](std::uint32_t number) { return buffers[number].size; });
  std::vector<bool> marked(buffers.size());
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) marked[order[i]] = true;
  return marked;
}

// Sorts the cells by size, because the arena looks for a spare cell by size, from the smallest that is large
// enough.
SmallCells sorted_by_size(const SmallCells& cells) {
  std::vector<std::uint32_t> order(cells.cells.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return cells.cells[a] < cells.cells[b]; });
  std::vector<std::uint32_t> rank(order.size());
  SmallCells sorted;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    rank[order[at]] = at;
    sorted.cells.push_back(cells.cells[order[at]]);
  }
  for (const std::uint32_t cell : cells.cell_of) sorted.cell_of.push_back(rank[cell]);
  return sorted;
}

// Returns the least slab that this limit could give over all variants; nothing where a variant would have too
// many places.
std::optional<Bytes> height_estimate(std::span<const Variant> variants, Bytes limit) {
  Bytes largest = 0;
  for (const Variant& variant : variants) {
    const Problem problem = large_blocks(variant, limit).problem;
    if (problem.buffers.size() > kMaxLargePlaces) return std::nullopt;
    largest = std::max(largest, peak_live_bytes(problem));
  }
  return largest + total_of(assign_cells(variants, limit).cells.cells);
}

}  // namespace

void leave_surplus_out(std::span<Variant> variants) {
  for (Variant& variant : variants) {
    const LargeBlocks large = large_blocks(variant, kSmallLimits.front());
    const std::vector<bool> fits = largest_of(large.problem.buffers, kMaxLargePlaces);
    for (std::size_t i = 0; i < large.slots.size(); ++i)
      if (!fits[large.buffer_of[i]]) variant.demands[large.slots[i]].zone = PlanZone::kHeap;
  }
}

CellAssignment assign_cells(std::span<const Variant> variants, Bytes limit) {
  CellAssignment result;
  std::vector<SmallBlock> blocks;
  Time shift = 0;
  for (const Variant& variant : variants) {
    std::vector<std::uint32_t>& small = result.small_slots.emplace_back();
    for (std::uint32_t slot = 0; slot < variant.demands.size(); ++slot) {
      const Demand& demand = variant.demands[slot];
      if (!is_in_cell(demand, limit)) continue;
      small.push_back(slot);
      blocks.push_back({.life = {demand.life.begin + shift, demand.life.end + shift}, .size = demand.size});
    }
    shift += static_cast<Time>(variant.demands.size()) + 1;
  }
  result.cells = sorted_by_size(assign_small_cells(blocks));
  return result;
}

LargeBlocks large_blocks(const Variant& variant, Bytes limit) {
  LargeBlocks large{.problem = {}, .slots = large_slots(variant, limit), .buffer_of = {}};
  std::vector<Buffer>& buffers = large.problem.buffers;
  const Demand* before = nullptr;
  for (const std::uint32_t slot : large.slots) {
    const Demand& demand = variant.demands[slot];
    if (before != nullptr && goes_on(variant, *before, demand)) {
      buffers.back().life.end = demand.life.end;
    } else {
      buffers.push_back({.life = demand.life,
                         .size = align_up(demand.size, kGranule),
                         .alignment = std::max<Bytes>(demand.alignment, kGranule)});
    }
    large.buffer_of.push_back(static_cast<std::uint32_t>(buffers.size() - 1));
    before = &demand;
  }
  return large;
}

Bytes total_of(std::span<const std::uint64_t> cells) {
  return static_cast<Bytes>(std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}));
}

Bytes choose_small_limit(std::span<const Variant> variants) {
  std::array<std::optional<Bytes>, kSmallLimits.size()> estimates;
  Bytes least = std::numeric_limits<Bytes>::max();
  for (std::size_t i = 0; i < kSmallLimits.size(); ++i) {
    estimates[i] = height_estimate(variants, kSmallLimits[i]);
    least = std::min(least, estimates[i].value_or(least));
  }
  const double tolerated = static_cast<double>(least) * (1 + kWorthASmallerLimit);
  for (std::size_t i = 0; i < kSmallLimits.size(); ++i) {
    if (!estimates[i]) continue;
    if (static_cast<double>(*estimates[i]) <= tolerated) return kSmallLimits[i];
    if (kSmallLimits[i] == kObjectLimit && *estimates[i] <= least + kObjectsMayCost) return kObjectLimit;
  }
  return kSmallLimits.front();
}

}  // namespace memo::planner
