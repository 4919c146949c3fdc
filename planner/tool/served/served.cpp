#include "planner/tool/served/served.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/tool/text/numbers.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

double ratio(std::uint64_t part, std::uint64_t rest) {
  return part + rest == 0 ? 1 : static_cast<double>(part) / static_cast<double>(part + rest);
}

}  // namespace

double Served::share() const {
  return ratio(served, missed);
}

double Served::share_of_bytes() const {
  return ratio(served_bytes, missed_bytes);
}

double Served::lesser_share() const {
  return std::min(share(), share_of_bytes());
}

Served Served::without_kept() const {
  Served rest = *this;
  rest.missed -= std::min(kept, missed);
  rest.missed_bytes -= std::min(kept_bytes, missed_bytes);
  rest.kept = rest.kept_bytes = 0;
  return rest;
}

Served& Served::operator+=(const Served& more) {
  passes += more.passes;
  served += more.served;
  served_bytes += more.served_bytes;
  missed += more.missed;
  missed_bytes += more.missed_bytes;
  kept += more.kept;
  kept_bytes += more.kept_bytes;
  return *this;
}

Served Served::since(const Served& earlier) const {
  if (passes < earlier.passes || served < earlier.served || missed < earlier.missed) return {};
  return {.passes = passes - earlier.passes,
          .served = served - earlier.served,
          .served_bytes = served_bytes - earlier.served_bytes,
          .missed = missed - earlier.missed,
          .missed_bytes = missed_bytes - earlier.missed_bytes,
          .kept = kept - std::min(kept, earlier.kept),
          .kept_bytes = kept_bytes - std::min(kept_bytes, earlier.kept_bytes)};
}

Served served_in_all(const Json& statistics) {
  Served all{.passes = number(statistics, "passes"),
             .served = number(statistics, "served"),
             .served_bytes = number(statistics, "served_bytes"),
             .missed = 0,
             .missed_bytes = number(statistics, "fallback_bytes"),
             .kept = 0,
             .kept_bytes = number(statistics, "kept_bytes")};
  const auto fallback = statistics.find("fallback");
  if (fallback == statistics.end() || !fallback->is_object()) return all;
  for (const auto& [reason, count] : fallback->items()) all.missed += number(*fallback, reason.c_str());
  all.kept = number(*fallback, "kept");
  return all;
}

Served served_when_steady(const Json& statistics) {
  const auto steady = statistics.find("steady");
  if (steady == statistics.end() || !steady->is_object()) return {};
  return {.passes = number(*steady, "passes"),
          .served = number(*steady, "served"),
          .served_bytes = number(*steady, "served_bytes"),
          .missed = number(*steady, "missed"),
          .missed_bytes = number(*steady, "missed_bytes"),
          .kept = number(*steady, "kept"),
          .kept_bytes = number(*steady, "kept_bytes")};
}

bool is_little_beside(std::uint64_t slab_bytes, std::uint64_t heap_resident) {
  constexpr std::uint64_t kTimes = 100;
  return slab_bytes != 0 && slab_bytes <= heap_resident / kTimes;
}

std::string served_amounts(const Served& served) {
  return fmt::format("{:.2f} % of {} allocations and {:.2f} % of {}", 100 * served.share(),
                     served.allocations(), 100 * served.share_of_bytes(),
                     human_bytes(static_cast<Bytes>(served.served_bytes + served.missed_bytes)));
}

std::string served_shares(const Served& served) {
  return fmt::format("{:.2f} % of the allocations and {:.2f} % of their bytes", 100 * served.share(),
                     100 * served.share_of_bytes());
}

std::string shares_without_kept(const Served& served, int digits) {
  constexpr double kWorthSaying = 0.001;  // of the allocations or of the bytes
  const Served rest = served.without_kept();
  if (std::max(rest.share() - served.share(), rest.share_of_bytes() - served.share_of_bytes()) < kWorthSaying)
    return "";
  return fmt::format(", and {:.{}f} % and {:.{}f} % without what the program keeps beyond its passes",
                     100 * rest.share(), digits, 100 * rest.share_of_bytes(), digits);
}

}  // namespace memo::planner
