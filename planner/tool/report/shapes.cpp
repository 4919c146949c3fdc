#include "planner/tool/report/shapes.h"

#include <fmt/format.h>
#include <algorithm>

#include "planner/tool/text/numbers.h"

namespace memo::planner {
namespace {

std::string text_of(const VaryingSize& size) {
  return fmt::format("{} to {}", size.least, size.most);
}

// Describes what differs from shape to shape: the numbers that the sizes follow, or else the bytes in all.
std::string describe(const ShapeRange& range) {
  switch (range.varying.size()) {
    case 0:
      return fmt::format(", asking for {} to {}", human_bytes(range.least), human_bytes(range.most));
    case 1:
      return fmt::format("; one size varies, {}", text_of(range.varying[0]));
    default:
      return fmt::format("; two sizes vary, {} × {}", text_of(range.varying[0]), text_of(range.varying[1]));
  }
}

}  // namespace

std::string describe(const ShapesOfStructure& shapes) {
  std::string text = fmt::format("{} of one structure{}{}", shapes.shapes, describe(shapes.range),
                                 shapes.formulas ? ", with formulas" : "");
  if (shapes.joint == 0) return text;
  const double more = static_cast<double>(shapes.joint) / static_cast<double>(shapes.range.alone) - 1;
  return text + fmt::format(": one layout, {:.1f} % over the largest alone", 100 * more);
}

ShapesOfStructure shapes_of(const Variant& variant, Bytes joint) {
  const bool formulas = std::any_of(variant.demands.begin(), variant.demands.end(),
                                    [](const Demand& demand) { return demand.formula.exists(); });
  return {.shapes = variant.shapes, .range = variant.range, .formulas = formulas, .joint = joint};
}

}  // namespace memo::planner
