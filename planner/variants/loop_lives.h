// Finds what each allocation of a loop's body needs, over all iterations of all runs: how long its blocks live,
// how many of them live at once, and whether they grow.
//
//   iteration   0: a----------.      a of iteration 0 is freed when the a of iteration 1 exists:
//               1:         a--'---   a needs two places, and the loop the period 2
//
// What an iteration reads of the one before the last, or of one still longer ago, takes a place for each iteration between, and as
// many iterations of everything else in the plan. So how deep a loop looks back is a choice (deeper()).
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <vector>

#include "planner/variants/loop_growth.h"
#include "planner/variants/loop_runs.h"
#include "planner/variants/loops.h"
#include "planner/variants/variants.h"

namespace memo::planner {

inline constexpr std::size_t kLingeringOneIn = 8;  // if over 1/8 of its instances linger or escape: no place

// The needs of one allocation of the body, over all iterations of all runs.
struct Carried {
  // Says how many iterations later the block is last alive, and before which place it is freed there.
  struct Reach {
    std::size_t through = 0;
    std::uint32_t to = 0;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };
  std::uint32_t end = 0;                          // place where it is freed, if in its own iteration
  Reach reach;                                    // where it is freed, if in a later iteration
  std::uint32_t behind = 0;                       // where it is freed after the loop; 0: never there
  std::size_t most_alive = kMostIterationsAlive;  // iterations that a block may live through and have a place
  std::size_t places = 1;                         // places needed at once
  std::size_t in_list = 1;                        // likewise, by the instances that linger, too
  std::size_t instances = 0;
  std::size_t lingering = 0;  // of these, instances that needed more than most_alive
  std::size_t escaping = 0;

  [[nodiscard]] bool lingers() const { return lingering * kLingeringOneIn > instances; }
  [[nodiscard]] bool outlives() const { return escaping * kLingeringOneIn > instances; }
  // Returns true if a few blocks outlive their pass, as the answer does that the last iteration makes. Through the next pass
  // such a block keeps all others out of its bytes, so that it shares them with none.
  [[nodiscard]] bool is_left_behind() const { return escaping != 0 && !outlives(); }
  // Returns how many cells a list of this allocation's blocks needs, of which each of the period's iterations has one;
  // 0 where there is none.
  [[nodiscard]] std::uint32_t list_cells(std::uint32_t period) const {
    return lingers() && !outlives() ? static_cast<std::uint32_t>((in_list + period - 1) / period) : 0;
  }
  [[nodiscard]] bool is_handed_on() const { return reach.through != 0 || behind != 0; }
};

// Cells that buffers share which grow by the same bytes in each iteration.
struct Pool {
  Bytes growth = 0;  // of each in an iteration
  std::uint32_t cells = 0;
  Bytes bytes = 0;  // of each cell
};

class LoopLives {
 public:
  // Gives a block places through kMostIterationsAlive iterations. A block that an iteration itself frees has some through `deepest`, if
  // that is more.
  LoopLives(const Numbered& body, const std::vector<Run>& runs, std::uint32_t deepest = kMostIterationsAlive);

  [[nodiscard]] const Carried& operator[](std::uint32_t place) const { return carried_[place]; }

  // Returns the bytes by which the blocks of a place grow with each iteration; 0 for a place without a slot.
  [[nodiscard]] Bytes growth_of(std::uint32_t place) const;
  [[nodiscard]] bool grows_and_is_handed_on(std::uint32_t place) const;
  // Returns true if the buffers of the place have no bytes of their own because they grow.
  [[nodiscard]] bool outgrows(std::uint32_t place, Growing growing) const {
    return growing != Growing::kInSlab && grows_and_is_handed_on(place);
  }
  // Returns the pools of the growing buffers that are handed on.
  [[nodiscard]] const std::vector<Pool>& pools() const { return pools_; }
  // Returns the number of the place's pool, from 1 on; 0 where it has none.
  [[nodiscard]] std::uint32_t pool_of(std::uint32_t place) const;

  // Returns after how many iterations a block that is handed on may have the bytes of the first one again.
  [[nodiscard]] std::uint32_t period(Growing growing) const;

  // Returns the numbers of iterations, above kMostIterationsAlive, that blocks live through until another iteration frees them.
  [[nodiscard]] const std::set<std::uint32_t>& deeper() const { return deeper_; }

  // Returns the most bytes alive at once of those blocks that live through too many iterations to have a place.
  [[nodiscard]] Bytes lingering_bytes() const;

  // Counts the growing buffers, and what those that are handed on take on the heap.
  [[nodiscard]] GrowingBuffers growing_buffers() const;

 private:
  void look_back(const Numbered& body, const Run& run, std::uint32_t deepest);
  void add(const Numbered& body, const Run& run, std::size_t run_index);
  void find_pools();

  std::vector<Carried> carried_;  // by allocation of the body
  LoopGrowth growth_;
  std::set<std::uint32_t> deeper_;
  std::vector<Pool> pools_;
};

}  // namespace memo::planner
