// Makes pictures of the variants of traces, each with several strategies.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/steps/variants.h"
#include "planner/tool/report/picture.h"
#include "planner/trace/trace.h"

namespace memo::planner {

struct TracePictures {
  std::vector<Picture> pictures;
  std::vector<std::string> notes;  // strategies that found no plan, and why
};

// Makes the pictures. `variants` must be those of `traces`. Calls `begins` before each solve, with what is solved.
[[nodiscard]] TracePictures trace_pictures(
    std::span<const Trace> traces, const Variants& variants, std::span<const Strategy* const> strategies,
    const Limits& limits, const std::function<void(const std::string&)>& begins = [](const std::string&) {});

}  // namespace memo::planner
