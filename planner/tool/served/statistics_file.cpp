#include "planner/tool/served/statistics_file.h"

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

std::optional<ServedShare> read_served_share(const std::string& path) {
  const nlohmann::ordered_json statistics = parse(path);
  if (!statistics.is_object() || !statistics.contains("fallback")) return std::nullopt;
  const Served all = served_in_all(statistics);
  const Served steady = served_when_steady(statistics);
  const bool is_steady = steady.passes != 0;
  return ServedShare{.judged = is_steady ? steady : all, .passes = all.passes, .steady = is_steady};
}

}  // namespace memo::planner
