// What an allocation needs, over all its instances in all passes: how long its blocks live, and how many of them live at once.
//
//   iteration   0: a----------.      a of iteration 0 is freed when the a of iteration 1 exists:
//               1:         a--'---   a needs two places, and the loop the period 2
//
// A block that is handed on through more than kMostIterationsAlive iterations (results in a list) gets no place, unless another
// iteration always frees it after so many, and the places pay (unrolled.h).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "runtime/formats/plan_format.h"

namespace memo::planner {

inline constexpr std::uint32_t kMostIterationsAlive = 4;
inline constexpr std::size_t kLingeringOneIn = 8;  // if over 1/8 of its instances linger or escape: no place

// Loops are counted from the outermost on.
struct Needs {
  std::size_t instances = 0;
  std::size_t lingering = 0;  // of these, instances that live through too many iterations of a loop
  std::size_t escaping = 0;
  std::array<std::uint32_t, kMaxLoopDepth> places{};  // of each loop around: places needed at once
  std::array<std::uint32_t, kMaxLoopDepth>
      deep{};                           // likewise, where more than kMostIterationsAlive are not too many
  std::uint32_t bound = kMaxLoopDepth;  // so many loops are around the allocation whenever the block is freed
  std::uint32_t end = 0;                // node of the bounding iteration after which it is freed, from 1 on
  // Says how many iterations of the innermost of these loops later, and after which node there.
  struct Reach {
    std::uint32_t through = 0;
    std::uint32_t to = 0;
    friend auto operator<=>(const Reach&, const Reach&) = default;
  };
  Reach reach;
  std::uint32_t gathered = 0;  // blocks of one place that live at once, where they linger

  [[nodiscard]] bool lingers() const { return lingering * kLingeringOneIn > instances; }
  [[nodiscard]] bool outlives() const { return escaping * kLingeringOneIn > instances; }
  // Returns true if a few blocks outlive their pass, as the answer does that the last iteration makes. Through the next pass
  // such a block keeps all others out of its bytes, so that it shares them with none.
  [[nodiscard]] bool is_left_behind() const { return escaping != 0 && !outlives(); }
};

}  // namespace memo::planner
