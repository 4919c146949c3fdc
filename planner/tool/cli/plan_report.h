// Prints what `plan` says about the plan it made: a few lines for each variant, or one JSON object for
// programs.
#pragma once

#include <cstdint>
#include <string>

#include "planner/layout/plan_variants.h"
#include "planner/steps/operator_order.h"
#include "planner/steps/variants.h"
#include "planner/tool/cli/plan_sources.h"

namespace memo::cli {

[[nodiscard]] std::string describe(const PlanSources& sources, const planner::Variants& variants,
                                   const planner::PlannedVariants& planned);
[[nodiscard]] std::string to_json(const PlanSources& sources, const planner::Variants& variants,
                                  const planner::PlannedVariants& planned,
                                  const planner::OrderAdvice* order = nullptr);

// Returns "workers" for the key of what worker threads allocate, and any other key as "0x2a".
[[nodiscard]] std::string pass_key_text(std::uint64_t key);

}  // namespace memo::cli
