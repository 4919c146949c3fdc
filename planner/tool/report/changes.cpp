#include "planner/tool/report/changes.h"

#include <fmt/format.h>

#include "planner/tool/text/numbers.h"

namespace memo::planner {

std::string value_text(Unit unit, std::optional<double> value) {
  if (!value) return "-";
  if (unit == Unit::kBytes) return human_bytes(static_cast<Bytes>(*value));
  return unit == Unit::kShare ? fmt::format("{:.2f} %", 100 * *value) : fmt::format("{:.0f}", *value);
}

std::string change_text(const ChangedFigure& figure) {
  const auto& [name, unit, before, after] = figure;
  if (before == after) return "";
  if (!before) return "new";
  if (!after) return "gone";
  if (unit == Unit::kShare) return fmt::format("{:+.2f} points", 100 * (*after - *before));
  if (*before == 0) return fmt::format("+{}", value_text(unit, after));
  return fmt::format("{:+.1f} %", 100 * (*after / *before - 1));
}

}  // namespace memo::planner
