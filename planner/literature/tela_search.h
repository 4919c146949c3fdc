// The search of TelaMalloc: decisions one after the other, and returns to the one at fault.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "planner/literature/tela_bounds.h"
#include "planner/literature/tela_returns.h"
#include "planner/placing/budget.h"
#include "planner/problem/problem.h"

namespace memo::planner {

// The parts of the paper that can be left out, for measurements.
struct TelaRules {
  bool propagates = true;  // orders follow from bounds between unplaced buffers too
  ReturnRule returns = likely_target;
};

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
  TelaSearch(const Problem& problem, TelaRules rules);

  // Leaves the rule of the returns for the plainest one. What a rule skips is lost to it, so that another may still find a plan.
  void return_to_latest() { rules_.returns = latest_target; }

  // Returns a plan no higher than `capacity`, if it finds one.
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
    std::vector<BufferIndex> blamed;  // placed buffers that had a part in the failures here, sorted
    BufferIndex urgent = kNobody;     // could not be placed further down the search
    BufferIndex buffer = kNobody;
    Bytes room = 0;  // of the buffer, before it was placed
    std::size_t mark = 0;
    std::uint64_t begun = 0;  // in steps
    unsigned returns = 0;

    void blame(const std::vector<BufferIndex>& others);  // sorted too
    [[nodiscard]] bool has_tried(BufferIndex i) const;
  };

  [[nodiscard]] static Offers offers_of(const Problem& problem, const Order& phase);

  [[nodiscard]] bool begin(Bytes capacity, const Patience& patience);
  void step();
  [[nodiscard]] BufferIndex choose(const Point& point) const;
  [[nodiscard]] bool is_done(const Offers& offers) const;
  [[nodiscard]] BufferIndex favourite(const Order& order) const;
  void take_back(Point& point);
  void drop_point();
  void step_back();
  [[nodiscard]] std::vector<std::size_t> depths_to_return_to(const std::vector<BufferIndex>& blamed);
  [[nodiscard]] std::size_t choose_return(const std::vector<std::size_t>& depths) const;
  [[nodiscard]] ReturnFeatures features_of(std::size_t depth, std::size_t rank, std::size_t targets) const;
  [[nodiscard]] std::uint64_t work() const { return steps_ + bounds_.moves() - moves_before_; }

  const Problem& problem_;
  TelaRules rules_;
  TelaBounds bounds_;
  std::vector<Bytes> contention_;  // the most live bytes in each buffer's life
  std::vector<Offers> offers_;
  std::size_t movable_ = 0;
  Bytes capacity_ = 0;
  std::uint64_t steps_ = 0;         // of this probe
  std::uint64_t moves_before_ = 0;  // of former probes
  unsigned most_returns_ = 0;
  bool lost_patience_ = false;
  std::vector<Point> points_;
  BufferIndex failed_ = kNobody;
};

}  // namespace memo::planner
