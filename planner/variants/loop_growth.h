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
//
// Those that grow alike can share a pool: as many cells as there are blocks alive at once, each as large as the largest. The
// next block takes the cell that was freed last but so many:
//
//   iteration      0     1     2        two caches, a and b, that are copied one after the other
//   cell 0         a     b     .        three blocks are alive at most, and four places of their own
//   cell 1         b     .     a
//   cell 2         .     a     b
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

  using Places = std::function<bool(std::uint32_t)>;

  // Returns the most bytes of the meant places that were alive at once in any run.
  [[nodiscard]] Bytes peak(const Places& is_meant) const;
  // Returns how many of their blocks were.
  [[nodiscard]] std::uint32_t most_alive(const Places& is_meant) const;
  // Returns the bytes of the largest.
  [[nodiscard]] Bytes largest(const Places& is_meant) const;
  // Returns true if a cell of a plan can hold each of them.
  [[nodiscard]] bool fit_cells(const Places& is_meant) const;

 private:
  struct Instance {
    std::size_t run = 0;
    std::size_t iteration = 0;
    std::uint32_t place = 0;
    Bytes size = 0;
    Bytes alignment = 1;
    Lifetime life;
  };
  struct Line {
    Bytes slope = 0;
    std::size_t steps = 0;  // steps from one instance to the next, all of this slope
    bool broken = false;
    std::size_t last = SIZE_MAX;  // index of the last instance seen

    void go_on(const Instance& from, const Instance& to);
  };

  // Returns the most that was alive at once in any run, where each instance counts for as much as it weighs.
  [[nodiscard]] Bytes peak_of(const Places& is_meant,
                              const std::function<Bytes(const Instance&)>& weight) const;

  std::vector<Instance> instances_;
  std::vector<Line> lines_;
};

}  // namespace memo::planner
