#include "planner/tool/cli/allocator_list.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "planner/tool/compare/allocators.h"

namespace memo::cli {

using Json = nlohmann::ordered_json;

std::string allocators_text() {
  std::string text;
  for (const compare::Allocator& allocator : compare::all_allocators()) {
    const std::string_view missing = compare::is_installed(allocator) ? "" : ", which is not installed";
    text += fmt::format("{:<18} {}{}{}{}\n", allocator.name, allocator.package, missing,
                        allocator.settings.empty() ? "" : ": ", compare::settings_text(allocator));
  }
  return text;
}

Json allocators_json() {
  Json rows = Json::array();
  for (const compare::Allocator& allocator : compare::all_allocators()) {
    Json settings = Json::object();
    for (const auto& [name, value] : allocator.settings) settings[name] = value;
    rows.push_back({{"name", allocator.name},
                    {"library", allocator.library},
                    {"settings", settings},
                    {"package", allocator.package},
                    {"installed", compare::is_installed(allocator)}});
  }
  return {{"allocators", rows}};
}

}  // namespace memo::cli
