#include "planner/tool/text/numbers.h"

#include <fmt/format.h>

namespace memo::planner {

std::string over_bound(Bytes height, Bytes bound) {
  constexpr Bytes kPage = 4096;
  if (height == bound || bound == 0) return "0 %";
  if (bound < kPage) return human_bytes(height - bound);
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(height - bound) / static_cast<double>(bound));
}

std::string human_bytes(Bytes bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

}  // namespace memo::planner
