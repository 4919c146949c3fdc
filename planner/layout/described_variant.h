// Describes variants as a plan holds them, and reports how good their plan is.
#pragma once

#include <vector>

#include "planner/layout/plan_variants.h"
#include "planner/plan/plan_description.h"

namespace memo::planner {

// Describes the slots, scopes and loops of a variant whose demands are its slots (selection.h), without their places.
[[nodiscard]] PlanVariantDescription describe(const Variant& variant);
[[nodiscard]] PlanAnchorDescription describe(const Anchor& anchor);
[[nodiscard]] std::vector<PlanModuleDescription> describe(const std::vector<Module>& modules);

// Reports on a variant whose slots have their places.
[[nodiscard]] VariantReport report_of(const Variant& variant, const PlanVariantDescription& description);

}  // namespace memo::planner
