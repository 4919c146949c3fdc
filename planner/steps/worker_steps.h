// Finds the steps of a worker's variant in what another worker allocates, or the same one for another pass.
//
//   variant   a b c d | e f g h | a b c d | e f g h         Workers share the pieces of the work as they come, so that one of them
//   work      a b c d | e f g h | a b x c d                 does some of the pieces, in an order of its own, now and then with a
//   steps     0 1 2 3   4 5 6 7   8 9 - 10 11               step more or less. Sites tell where it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "planner/steps/variants.h"

namespace memo::planner {

// An allocation of a worker's pass. Its life counts in such allocations, from its own number on.
struct Made {
  PlanSite site;
  Bytes size = 0;
  Bytes alignment = 1;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;  // end of the block's life, or of the pass if that is earlier
  bool outlives = false;     // the block outlives the pass
};

struct Work {
  std::size_t pass = 0;  // number of the owner's pass that had begun last, over all traces
  std::vector<Made> made;
};

// The steps of the variant, to find those of works among them.
class StepsOfVariant {
 public:
  explicit StepsOfVariant(const std::vector<Demand>& demands);

  // Returns for each allocation of the work the number of the demand that answers it; kNone where the work has one more than the
  // variant. Takes time in proportion to the length of both.
  [[nodiscard]] std::vector<std::uint32_t> steps_of(const Work& work) const;

 private:
  // Two sequences go on together where so many sites in a row are the same.
  static constexpr std::size_t kInARow = 4;
  using Row = std::array<PlanSite, kInARow>;

  // An allocation of a work, and the demand that answers it.
  struct Step {
    std::size_t made;
    std::size_t demand;
  };

  template <typename Sites>
  static bool read_row(const Sites& sites, std::size_t at, Row& row);
  // Moves to where both go on together with the fewest steps left out. Returns false if there is no such place.
  [[nodiscard]] bool meet_again(const Work& work, Step& at) const;

  std::vector<PlanSite> sites_;
  std::map<Row, std::vector<std::size_t>> places_;  // of each row of sites, in order
};

}  // namespace memo::planner
