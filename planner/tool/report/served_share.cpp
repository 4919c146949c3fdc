#include "planner/tool/report/served_share.h"

#include <nlohmann/json.hpp>

#include "planner/system/regular_file.h"

namespace memo::planner {

namespace {

// Returns a discarded value if the file cannot be read or is no JSON.
nlohmann::ordered_json parse(const std::string& path) {
  try {
    return nlohmann::ordered_json::parse(process::read_regular_file(path), nullptr, false);
  } catch (const process::Unreadable&) {
    return nlohmann::ordered_json::value_t::discarded;
  }
}

}  // namespace

ServedAmounts amounts_in(const nlohmann::ordered_json& statistics) {
  ServedAmounts amounts{.served = statistics.at("served").get<double>(),
                        .missed = 0,
                        .served_bytes = statistics.at("served_bytes").get<double>(),
                        .missed_bytes = statistics.at("fallback_bytes").get<double>()};
  for (const auto& [reason, count] : statistics.at("fallback").items()) amounts.missed += count.get<double>();
  return amounts;
}

std::optional<ServedAmounts> steady_amounts_in(const nlohmann::ordered_json& statistics) {
  const auto steady = statistics.find("steady");
  if (steady == statistics.end() || steady->value("passes", 0.0) == 0) return std::nullopt;
  return ServedAmounts{.served = steady->value("served", 0.0),
                       .missed = steady->value("missed", 0.0),
                       .served_bytes = steady->value("served_bytes", 0.0),
                       .missed_bytes = steady->value("missed_bytes", 0.0)};
}

std::optional<ServedShare> read_served_share(const std::string& path) {
  const nlohmann::ordered_json statistics = parse(path);
  if (!statistics.is_object() || !statistics.contains("fallback")) return std::nullopt;
  ServedShare share;
  share.passes = statistics.at("passes").get<double>();
  const std::optional<ServedAmounts> steady = steady_amounts_in(statistics);
  share.steady = steady.has_value();
  share.amounts = steady ? *steady : amounts_in(statistics);
  return share;
}

}  // namespace memo::planner
