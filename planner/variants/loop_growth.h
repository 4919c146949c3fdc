// What becomes larger with each iteration of a loop, by as much each time, as the cache of a Transformer does.
//
//   size |      . '    a + b k in iteration k, in the plan the largest that was seen
//        |  . '        growth: b, so that t further iterations need b t more (runtime/plan/growth.h)
//        +-------- k
//
// Such a buffer is freed within its iteration, and takes no more in the slab than it would on the heap; or it is handed on, and
// then a loop of a period p keeps p places of full size for it, where a heap holds what is alive. LoopGrowth knows the latter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

class LoopGrowth {
 public:
  // Of a body of so many allocations.
  explicit LoopGrowth(std::size_t places) : lines_(places) {}

  // What a run made at a place of the body. Runs come one behind the other, and iterations in their order.
  void add(std::size_t run, std::size_t iteration, std::uint32_t place, const Allocation& made);

  // Bytes more from one iteration to the next; 0 where the sizes of a place do not rise by the same, or too few were seen.
  [[nodiscard]] Bytes per_iteration(std::uint32_t place) const;

  // The most bytes of these places that were alive at once in any run.
  [[nodiscard]] Bytes peak(const std::function<bool(std::uint32_t)>& is_meant) const;

 private:
  struct Instance {
    std::size_t run = 0;
    std::size_t iteration = 0;
    std::uint32_t place = 0;
    Bytes size = 0;
    Lifetime life;
  };
  struct Line {
    Bytes slope = 0;
    std::size_t steps = 0;  // from one instance to the next, all of this slope
    bool broken = false;
    std::size_t last = SIZE_MAX;  // instance

    void go_on(const Instance& from, const Instance& to);
  };

  std::vector<Instance> instances_;
  std::vector<Line> lines_;
};

}  // namespace memo::planner
