#include "planner/placing/placed_buffers.h"

#include <algorithm>
#include <bit>

#include "planner/placing/placement.h"
#include "planner/placing/radix_sort.h"

namespace memo::planner {
namespace {

constexpr std::size_t kRanks = 64;  // of a block

constexpr std::uint64_t bit(std::size_t rank) {
  return std::uint64_t{1} << (rank % kRanks);
}

}  // namespace

PlacedBuffers::PlacedBuffers(const Problem& problem)
    : problem_(problem),
      rank_(problem.buffers.size()),
      blocks_(std::bit_ceil(problem.buffers.size() / kRanks + 1)),
      latest_death_(blocks_.size() * 2, kNobody),
      offsets_(problem.buffers.size(), -1) {
  for (const BufferIndex buffer : birth_order(problem)) {
    rank_[buffer] = births_.size();
    births_.push_back(problem.buffers[buffer].life.begin);
  }
}

void PlacedBuffers::place(BufferIndex buffer, Offset offset) {
  offsets_[buffer] = offset;
  const std::size_t rank = rank_[buffer];
  Block& block = blocks_[rank / kRanks];
  block.placed |= bit(rank);
  block.death[rank % kRanks] = problem_.buffers[buffer].life.end;
  block.extent[rank % kRanks] = {offset, offset + problem_.buffers[buffer].size, buffer};
  set_death(block, rank / kRanks);
}

void PlacedBuffers::take_back(BufferIndex buffer) {
  offsets_[buffer] = -1;
  const std::size_t rank = rank_[buffer];
  Block& block = blocks_[rank / kRanks];
  block.placed &= ~bit(rank);
  set_death(block, rank / kRanks);
}

// Tells the tree the latest death of the block.
void PlacedBuffers::set_death(const Block& block, std::size_t number) {
  Time latest = kNobody;
  for (std::uint64_t left = block.placed; left != 0; left &= left - 1)
    latest = std::max(latest, block.death[static_cast<std::size_t>(std::countr_zero(left))]);
  for (std::size_t node = blocks_.size() + number; node > 0 && latest_death_[node] != latest; node /= 2) {
    latest_death_[node] = latest;
    latest = std::max(latest, latest_death_[node ^ 1]);
  }
}

// Lists the placed buffers with a rank before `end` that die after this moment; the node spans the blocks
// [first, first + count).
void PlacedBuffers::list(std::size_t node, std::size_t first, std::size_t count, std::size_t end,
                         Time after) {
  if (first * kRanks >= end || latest_death_[node] <= after) return;
  if (count == 1) {
    const bool whole = (first + 1) * kRanks <= end;
    return list_block(blocks_[first], whole ? ~std::uint64_t{0} : bit(end) - 1, after);
  }
  const std::size_t half = count / 2;
  list(node * 2, first, half, end, after);
  list(node * 2 + 1, first + half, half, end, after);
}

void PlacedBuffers::list_block(const Block& block, std::uint64_t among, Time after) {
  for (std::uint64_t left = block.placed & among; left != 0; left &= left - 1) {
    const auto rank = static_cast<std::size_t>(std::countr_zero(left));
    if (block.death[rank] > after) listed_.push_back(block.extent[rank]);
  }
}

std::span<const PlacedBuffers::Extent> PlacedBuffers::alive_with(BufferIndex buffer) {
  const Lifetime& life = problem_.buffers[buffer].life;
  const auto born_later = std::lower_bound(births_.begin(), births_.end(), life.end);
  listed_.clear();
  list(1, 0, blocks_.size(), static_cast<std::size_t>(born_later - births_.begin()), life.begin);
  radix_sort(listed_, spare_, [](const Extent& extent) { return extent.begin; });
  return listed_;
}

}  // namespace memo::planner
