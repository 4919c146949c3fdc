// Keeps placed buffers that may be taken back, and lists those alive with a given buffer, lowest first.
//
// The buffers stand in the order of their births, in blocks of 64. A tree over the blocks knows the latest death of the placed
// ones below each node, so that a list costs little more than its own length, however many buffers there are.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

class PlacedBuffers {
 public:
  struct Extent {
    Offset begin;
    Offset end;
    BufferIndex buffer;
  };

  // Begins without a placed buffer. Refers to the problem, which must outlive it.
  explicit PlacedBuffers(const Problem& problem);

  void place(BufferIndex buffer, Offset offset);
  void take_back(BufferIndex buffer);
  // Returns the place of each buffer, -1 for a buffer that has none.
  [[nodiscard]] const Offsets& offsets() const { return offsets_; }

  // Returns the placed buffers that overlap this one in time, in the order of their begins. Valid until the next call.
  [[nodiscard]] std::span<const Extent> alive_with(BufferIndex buffer);

 private:
  static constexpr Time kNobody = std::numeric_limits<Time>::min();

  // Up to 64 ranks in the order of births.
  struct Block {
    std::uint64_t placed = 0;  // a bit for each rank
    std::array<Time, 64> death;
    std::array<Extent, 64> extent;
  };

  void set_death(const Block& block, std::size_t number);
  void list(std::size_t node, std::size_t first, std::size_t count, std::size_t end, Time after);
  void list_block(const Block& block, std::uint64_t among, Time after);

  const Problem& problem_;
  std::vector<Time> births_;       // of the ranks
  std::vector<std::size_t> rank_;  // of each buffer
  std::vector<Block> blocks_;
  std::vector<Time> latest_death_;  // a tree over the blocks; kNobody where nothing is placed
  Offsets offsets_;
  std::vector<Extent> listed_;
  std::vector<Extent> spare_;
};

}  // namespace memo::planner
