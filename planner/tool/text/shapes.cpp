#include "planner/tool/text/shapes.h"

#include <fmt/format.h>

#include "planner/tool/text/numbers.h"

namespace memo::planner {

std::string describe(const ShapesOfStructure& shapes) {
  std::string text = fmt::format("{} of one structure, asking for {} to {}", shapes.shapes,
                                 human_bytes(shapes.least), human_bytes(shapes.most));
  if (shapes.joint == 0) return text;
  const double more = static_cast<double>(shapes.joint) / static_cast<double>(shapes.alone) - 1;
  return text + fmt::format(": one layout, {:.1f} % over the largest alone", 100 * more);
}

}  // namespace memo::planner
