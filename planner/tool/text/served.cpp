#include "planner/tool/text/served.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/tool/text/numbers.h"

namespace memo::planner {
namespace {

double share(double part, double rest) {
  return part + rest > 0 ? part / (part + rest) : 1;
}

}  // namespace

double ServedAmounts::by_count() const {
  return share(served, missed);
}

double ServedAmounts::by_bytes() const {
  return share(served_bytes, missed_bytes);
}

double ServedAmounts::lesser() const {
  return std::min(by_count(), by_bytes());
}

std::string served_amounts(const ServedAmounts& amounts) {
  return fmt::format("{:.2f} % of {:.0f} allocations and {:.2f} % of {}", 100 * amounts.by_count(),
                     amounts.served + amounts.missed, 100 * amounts.by_bytes(),
                     human_bytes(static_cast<Bytes>(amounts.served_bytes + amounts.missed_bytes)));
}

std::string served_shares(const ServedAmounts& amounts) {
  return fmt::format("{:.2f} % of the allocations and {:.2f} % of their bytes", 100 * amounts.by_count(),
                     100 * amounts.by_bytes());
}

}  // namespace memo::planner
