#include "planner/tool/report/variant_shapes.h"

namespace memo::planner {

ShapesOfStructure shapes_of(const Variant& variant, Bytes joint) {
  return {.shapes = variant.shapes,
          .least = variant.range.least,
          .most = variant.range.most,
          .joint = joint,
          .alone = variant.range.alone};
}

}  // namespace memo::planner
