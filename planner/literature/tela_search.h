// The search of TelaMalloc: decisions one after the other, and returns to the one at fault.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "planner/literature/tela_placement.h"
#include "planner/placing/budget.h"
#include "planner/problem/problem.h"

namespace memo::planner {

// The effort of one probe.
struct Patience {
  std::uint64_t nodes = 5'000;
  unsigned returns = 8;  // returns to one decision

  void grow() {
    nodes *= 2;
    returns *= 2;
  }
};

class TelaSearch {
 public:
  explicit TelaSearch(const Problem& problem);

  // Returns a plan no higher than `capacity`, if it finds one. Leaves the search as new.
  [[nodiscard]] std::optional<Offsets> probe(Bytes capacity, const Patience& patience, Budget& budget);

  // Returns true if the last probe might have gone on with more patience.
  [[nodiscard]] bool lost_patience() const { return lost_patience_; }

 private:
  using Order = std::vector<BufferIndex>;
  using Offers = std::array<Order, 3>;  // the orders in which a phase offers its buffers
  static constexpr BufferIndex kNobody = std::numeric_limits<BufferIndex>::max();

  // A decision: what the search has tried here, what stands, and how to take it back.
  struct Point {
    std::vector<BufferIndex> tried;
    BufferIndex urgent = kNobody;  // could not be placed further down the search
    BufferIndex buffer = kNobody;
    std::size_t mark = 0;
    unsigned returns = 0;

    [[nodiscard]] bool has_tried(BufferIndex i) const;
  };

  [[nodiscard]] static Offers offers_of(const Problem& problem, const Order& phase);

  void begin(Bytes capacity, const Patience& patience);
  void step();
  [[nodiscard]] BufferIndex choose(const Point& point) const;
  [[nodiscard]] bool is_done(const Offers& offers) const;
  [[nodiscard]] BufferIndex favourite(const Order& order) const;
  void take_back(Point& point);
  void drop_point();
  void step_back();
  [[nodiscard]] std::uint64_t work() const { return steps_ + placement_.looks() - looks_before_; }

  const Problem& problem_;
  TelaPlacement placement_;
  std::vector<Offers> offers_;
  std::size_t movable_ = 0;
  Bytes capacity_ = 0;
  std::uint64_t steps_ = 0;         // of this probe
  std::uint64_t looks_before_ = 0;  // of former probes
  unsigned most_returns_ = 0;
  bool lost_patience_ = false;
  std::vector<Point> points_;
  BufferIndex failed_ = kNobody;
};

}  // namespace memo::planner
