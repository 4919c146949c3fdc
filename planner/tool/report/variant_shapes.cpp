#include "planner/tool/report/variant_shapes.h"

#include <algorithm>

namespace memo::planner {

ShapesOfStructure shapes_of(const Variant& variant, Bytes joint) {
  const bool formulas = std::any_of(variant.demands.begin(), variant.demands.end(),
                                    [](const Demand& demand) { return demand.formula.exists(); });
  return {.shapes = variant.shapes, .range = variant.range, .formulas = formulas, .joint = joint};
}

}  // namespace memo::planner
