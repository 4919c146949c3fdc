// The cells of a plan, which all of its variants share.
#pragma once

#include <span>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

// Makes the cells of all variants, and says where they end. Returns false if they leave no room for large slots.
[[nodiscard]] bool build_cells(LoadedPlan& loaded, std::span<CellPlace> cells);

}  // namespace memo::runtime
