#include "planner/tool/report/call_sites.h"

#include <fmt/format.h>

#include <filesystem>

namespace memo::planner {

const std::string& CallSites::name(const Site& site) {
  std::string& known = names_[site];
  if (!known.empty()) return known;
  if (site.module >= trace_.modules.size()) return known = "an unknown caller";
  const std::filesystem::path path = trace_.modules[site.module].path;
  const std::string place = fmt::format("{}+{:#x}", path.filename().string(), site.offset);
  const std::string function = symbols_.name(site);
  return known = function == place ? place : fmt::format("{} in {}", function, place);
}

}  // namespace memo::planner
