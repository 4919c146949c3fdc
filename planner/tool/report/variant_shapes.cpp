#include "planner/tool/report/variant_shapes.h"

namespace memo::planner {

ShapesOfStructure shapes_of(const Variant& variant, Bytes joint) {
  return {.shapes = variant.shapes, .range = variant.range, .joint = joint};
}

}  // namespace memo::planner
