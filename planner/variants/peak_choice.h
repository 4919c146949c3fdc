// Chooses where a plan is split: which large blocks lie in the peak regions that the passes at once share.
//
//   live bytes
//      |        ___
//      |       |   |                 peak: what is above, in one of few regions
//      |- - - -|- -|- - - - split
//      |  _____|   |________         own: what is below, in the lane of each pass
//      |_|                  |
//
// All lanes together take `own * lanes + peak * regions`. A pass needs a region only for the share of its time in which blocks
// of the peak live, and passes of low variants need none. So few regions do for many passes, and the lower the split, the more
// of them are needed.
//
// It tries the heights of the profile of live bytes as splits. The live bytes of both parts stand for the heights that a solver
// needs for them, which they are nearly always.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// The large blocks of a variant, and a layout of all of them.
struct PeakProblem {
  Problem problem;  // lives count in allocations of the pass
  Offsets offsets;
  std::vector<double> shares;  // allocation -> share of the pass's time between it and the next one
  double weight = 1;           // chance that a pass that runs is of this variant
  bool may_be_split = true;
};

// The two parts of a plan, without its cells.
struct PeakChoice {
  Bytes own = 0;
  Bytes peak = 0;  // 0: all is one part
  std::uint32_t regions = 0;
  std::vector<std::vector<bool>> of_peak;  // variant -> block -> it lies in the peak
};

// Returns what a lane or a region of so many bytes takes. It lies on huge pages: half of one takes a whole one.
[[nodiscard]] Bytes memory_of(Bytes bytes);

// Returns what the lanes and regions take where each lane has `cells` bytes of cells besides.
[[nodiscard]] Bytes sum_of(const PeakChoice& choice, Bytes cells, std::uint32_t concurrent);

// Returns the choice with the least sum for so many passes at once.
[[nodiscard]] PeakChoice choose_peaks(std::span<const PeakProblem> variants, Bytes cells,
                                      std::uint32_t concurrent);

// Returns how many regions so many passes at once need, each for this share of its time: one in kRarely of the moments in which
// a pass needs a region finds none.
[[nodiscard]] std::uint32_t regions_for(double share, std::uint32_t concurrent);

// Returns for which share of the pass's time one of the chosen blocks lives.
[[nodiscard]] double share_of_time(const PeakProblem& variant, const std::vector<bool>& chosen);

// Returns the blocks that are chosen, or the others, as a problem of their own; `index` receives which these are.
[[nodiscard]] Problem part_of(const Problem& problem, const std::vector<bool>& chosen, bool the_chosen,
                              std::vector<std::size_t>* index = nullptr);

}  // namespace memo::planner
