// Chooses the decision that the search of telamalloc returns to from a dead end.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "planner/problem/problem.h"

namespace memo::planner {

struct TelaDecision {
  BufferIndex buffer;
  Offset offset;
};

// What is known of a decision that the search could return to. The names are in kReturnFeatures.
constexpr std::size_t kReturnFeatureCount = 9;
using ReturnFeatures = std::array<double, kReturnFeatureCount>;
extern const std::array<std::string_view, kReturnFeatureCount> kReturnFeatures;

struct ReturnTarget {
  std::size_t depth;  // the number of decisions before it
  ReturnFeatures features;
};

// `targets` are the decisions that had a part in the failures, the latest first. There is at least one.
struct DeadEnd {
  std::span<const TelaDecision> decisions;
  std::span<const ReturnTarget> targets;
};

// Returns the index of a target.
using ReturnRule = std::function<std::size_t(const DeadEnd&)>;

// Returns to the latest decision that had a part in the failure.
[[nodiscard]] std::size_t latest_target(const DeadEnd& dead_end);

// Returns to the latest decision before which a plan probably still exists, as a learned model has it; to the likeliest
// one where there is none.
[[nodiscard]] std::size_t likely_target(const DeadEnd& dead_end);

// The weights of a logistic regression: the sum of weight times feature, and of the bias, is the logarithm of the odds
// that what was decided before the target can be completed within the capacity.
struct ReturnModel {
  double bias = 0;
  ReturnFeatures weights{};

  [[nodiscard]] double log_odds(const ReturnFeatures& features) const;
};
extern const ReturnModel kReturnModel;

}  // namespace memo::planner
