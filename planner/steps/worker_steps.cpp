#include "planner/steps/worker_steps.h"

#include <algorithm>

namespace memo::planner {

// Reads the sites of the steps from `at` on. Returns false if fewer are left.
template <typename Sites>
bool StepsOfVariant::read_row(const Sites& sites, std::size_t at, Row& row) {
  if (at + kInARow > sites.size()) return false;
  for (std::size_t step = 0; step < kInARow; ++step) row[step] = sites[at + step].site;
  return true;
}

StepsOfVariant::StepsOfVariant(const std::vector<Demand>& demands) {
  for (const Demand& demand : demands) sites_.push_back(demand.site);
  Row row;
  for (std::size_t at = 0; read_row(demands, at, row); ++at) places_[row].push_back(at);
}

// Looks no further than a better place than the best one so far could lie. So all that it looks at is left out.
bool StepsOfVariant::meet_again(const Work& work, Step& at) const {
  const Step from = at;
  std::size_t fewest = work.made.size();
  bool found = false;
  Row row;
  for (std::size_t left_out = 0; left_out < fewest && read_row(work.made, from.made + left_out, row);
       ++left_out) {
    const auto places = places_.find(row);
    if (places == places_.end()) continue;
    const auto demand = std::ranges::lower_bound(places->second, from.demand);
    if (demand == places->second.end() || left_out + *demand - from.demand >= fewest) continue;
    fewest = left_out + *demand - from.demand;
    at = {.made = from.made + left_out, .demand = *demand};
    found = true;
  }
  return found;
}

std::vector<std::uint32_t> StepsOfVariant::steps_of(const Work& work) const {
  std::vector<std::uint32_t> steps(work.made.size(), kNone);
  Step at{.made = 0, .demand = 0};
  while (at.made < work.made.size() && at.demand < sites_.size()) {
    if (work.made[at.made].site == sites_[at.demand]) {
      steps[at.made++] = static_cast<std::uint32_t>(at.demand++);
    } else if (!meet_again(work, at)) {
      break;
    }
  }
  return steps;
}

}  // namespace memo::planner
