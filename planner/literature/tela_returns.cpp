#include "planner/literature/tela_returns.h"

#include <algorithm>
#include <numeric>

namespace memo::planner {

const std::array<std::string_view, kReturnFeatureCount> kReturnFeatures = {
    "depth, as a share of the dead end's",
    "depth, as a share of all buffers",
    "logarithm of the returns to it",
    "logarithm of the steps since it was made",
    "1 for the latest target, 1/2 for the one before it, and so on",
    "targets, as a share of the decisions",
    "size of its buffer, as a share of the capacity",
    "room that its buffer had, as a share of the capacity",
    "most live bytes in its buffer's life, as a share of the capacity",
};

// As `tela_training` prints them (tests/bench/minimalloc/tela_training.cpp), which says what they were learned from.
const ReturnModel kReturnModel = {
    .bias = 5.2413, .weights = {-8.1604, 6.3556, 0.1299, -0.0768, -0.0147, 0.4702, 1.5044, 2.4180, -5.0690}};

double ReturnModel::log_odds(const ReturnFeatures& features) const {
  return std::inner_product(features.begin(), features.end(), weights.begin(), bias);
}

std::size_t latest_target(const DeadEnd& /*dead_end*/) {
  return 0;
}

std::size_t likely_target(const DeadEnd& dead_end) {
  const auto log_odds = [](const ReturnTarget& target) { return kReturnModel.log_odds(target.features); };
  const auto& targets = dead_end.targets;
  auto chosen = std::ranges::find_if(
      targets, [](double odds) { return odds > 0; }, log_odds);
  if (chosen == targets.end()) chosen = std::ranges::max_element(targets, {}, log_odds);
  return static_cast<std::size_t>(chosen - targets.begin());
}

}  // namespace memo::planner
