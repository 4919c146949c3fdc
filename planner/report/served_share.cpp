#include "planner/report/served_share.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace memo::planner {

std::optional<ServedShare> read_served_share(const std::string& path) {
  std::ifstream file(path);
  const nlohmann::json statistics = nlohmann::json::parse(file, nullptr, false);
  if (!file || !statistics.is_object() || !statistics.contains("fallback")) return std::nullopt;
  ServedShare share;
  share.served = statistics.at("served").get<double>();
  share.passes = statistics.at("passes").get<double>();
  share.all = share.served;
  for (const auto& [reason, count] : statistics.at("fallback").items()) share.all += count.get<double>();
  return share;
}

}  // namespace memo::planner
