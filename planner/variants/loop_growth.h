// Finds the buffers that become larger by the same amount with each iteration of a loop, as the cache of a
// Transformer does.
//
//   size |      . '    a + b k in iteration k, in the plan the largest that was seen
//        |  . '        growth: b, so that t further iterations need b t more (runtime/plan/growth.h)
//        +-------- k
//
// Such a buffer may be freed within its iteration; then it takes no more in the slab than on the heap. Or the
// iteration hands it on to the next one. Then a loop of period p keeps p places of full size for it, while the
// heap holds only what is alive. LoopGrowth measures these handed-on buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::planner {

class LoopGrowth {
 public:
  // Takes the number of allocations in the loop's body.
  explicit LoopGrowth(std::size_t places) : lines_(places) {}

  // Takes in an allocation that a run made at a place of the body. The caller adds the runs one after the
  // other, and the iterations of each in their order.
  void add(std::size_t run, std::size_t iteration, std::uint32_t place, const Allocation& made);

  // Returns by how many bytes the size at a place grows from one iteration to the next. Returns 0 where the
  // sizes do not rise by the same amount each time, or where too few were seen.
  [[nodiscard]] Bytes per_iteration(std::uint32_t place) const;

  // Returns the most bytes of the meant places that were alive at once in any run.
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
    std::size_t steps = 0;  // steps from one instance to the next, all of this slope
    bool broken = false;
    std::size_t last = SIZE_MAX;  // index of the last instance seen

    void go_on(const Instance& from, const Instance& to);
  };

  std::vector<Instance> instances_;
  std::vector<Line> lines_;
};

}  // namespace memo::planner
