// The constraint solver of telamalloc: keeps the least and the greatest offset of every buffer, and takes changes back
// in turn.
//
//      capacity ------------          Of two buffers that live together one lies below the other. Where their bounds
//        greatest a |   |             leave one of the two orders only, that order moves bounds: the upper buffer rises
//                   | a | | b         above the least end of the lower one, and the lower one sinks below the upper
//           least a |   | |           one's greatest begin. This goes on until nothing moves, or a buffer has no
//             0 ------------          offset left.
//
// Bounds only become narrower from decision to decision, so an order that is impossible stays so: no list of decided
// pairs is kept. Each change knows the changes that caused it. So a failure can be traced to the placements behind it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "planner/placing/conflicts.h"
#include "planner/problem/problem.h"

namespace memo::planner {

class TelaBounds {
 public:
  // Without `propagates`, only placed buffers move bounds. Refers to the problem, which must outlive it.
  TelaBounds(const Problem& problem, bool propagates);

  // Begins anew below a capacity, with the fixed buffers placed. Returns false where no plan can fit.
  [[nodiscard]] bool begin(Bytes capacity);

  // Places the buffer at its least offset. Returns false when some buffer has no offset left. The changes come after
  // `mark` on the trail either way.
  [[nodiscard]] bool place(BufferIndex i);

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  // Takes back the last placed buffer and what changed since the mark.
  void take_back(BufferIndex i, std::size_t mark);

  [[nodiscard]] bool is_placed(BufferIndex i) const { return placed_[i]; }
  // Returns the offset of each placed buffer, and the least possible one of the others.
  [[nodiscard]] const Offsets& least() const { return bounds_[kLeast]; }
  // Returns how far the buffer can still move.
  [[nodiscard]] Bytes room(BufferIndex i) const { return bounds_[kGreatest][i] - bounds_[kLeast][i]; }
  // Returns the buffer that had no offset left in the last failure, and the placed ones that brought it there.
  [[nodiscard]] BufferIndex failed() const { return failed_; }
  [[nodiscard]] const std::vector<BufferIndex>& blamed() const { return blamed_; }
  // Returns how many bounds have moved.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

 private:
  enum Side : std::uint8_t { kLeast, kGreatest };
  using Entry = std::uint32_t;  // the number of a change, from 1; 0 for what holds without any placement
  using Causes = std::array<Entry, 3>;

  struct Change {
    BufferIndex buffer;
    Side side;
    bool placement;
    Offset before;
    Entry change_before;  // the latest one of this bound until then
    Causes causes;
  };

  [[nodiscard]] Bytes size(BufferIndex i) const { return problem_.buffers[i].size; }
  [[nodiscard]] Entry cause(Side side, BufferIndex i) const { return latest_[side][i]; }
  [[nodiscard]] bool can_lie_below(BufferIndex lower, BufferIndex upper) const;
  void set_out(Bytes capacity);
  void move(Side side, BufferIndex i, Offset bound, bool placement, const Causes& causes);
  [[nodiscard]] bool propagate();
  [[nodiscard]] bool relate(BufferIndex a, BufferIndex b);
  [[nodiscard]] bool order(BufferIndex lower, BufferIndex upper);
  [[nodiscard]] bool fail(BufferIndex i, const Causes& causes);
  void wake(BufferIndex i);
  void put_to_sleep();

  const Problem& problem_;
  ConflictLists conflicts_;
  bool propagates_;
  std::vector<bool> placed_;
  std::array<Offsets, 2> bounds_;
  std::array<std::vector<Entry>, 2> latest_;
  std::vector<Change> trail_;
  std::vector<BufferIndex> awake_;  // their neighbours have not heard of their bounds
  std::vector<bool> is_awake_;
  BufferIndex failed_ = 0;
  std::vector<BufferIndex> blamed_;
  std::uint64_t moves_ = 0;
};

}  // namespace memo::planner
