#include "planner/tool/report/served_share.h"

#include <nlohmann/json.hpp>

#include "planner/system/regular_file.h"

namespace memo::planner {

namespace {

// Returns a discarded value if the file cannot be read or is no JSON.
nlohmann::json parse(const std::string& path) {
  try {
    return nlohmann::json::parse(process::read_regular_file(path), nullptr, false);
  } catch (const process::Unreadable&) {
    return nlohmann::json::value_t::discarded;
  }
}

}  // namespace

std::optional<ServedShare> read_served_share(const std::string& path) {
  const nlohmann::json statistics = parse(path);
  if (!statistics.is_object() || !statistics.contains("fallback")) return std::nullopt;
  ServedShare share;
  share.served = statistics.at("served").get<double>();
  share.passes = statistics.at("passes").get<double>();
  share.all = share.served;
  for (const auto& [reason, count] : statistics.at("fallback").items()) share.all += count.get<double>();
  return share;
}

}  // namespace memo::planner
