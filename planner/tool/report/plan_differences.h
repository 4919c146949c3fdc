// Compares the passes of two traces or plans: slabs, variants, and what operators ask for.
#pragma once

#include <span>

#include "planner/tool/report/changes.h"
#include "planner/tool/report/picture.h"

namespace memo::planner {

[[nodiscard]] Differences plan_differences(std::span<const Picture> before, std::span<const Picture> after);

// Returns the height of the lowest layout that is a plan; 0 if the picture has none.
[[nodiscard]] Bytes least_height(const Picture& picture);

// Returns the picture that forces the height of the slab; nothing if there are no pictures.
[[nodiscard]] const Picture* highest(std::span<const Picture> pictures);

}  // namespace memo::planner
