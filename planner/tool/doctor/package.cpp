#include "planner/tool/doctor/package.h"

namespace memo::doctor {

std::string_view package_of(std::string_view path) {
  constexpr std::string_view kBelow = "-packages/";
  const std::size_t folder = path.rfind(kBelow);
  if (folder == std::string_view::npos) return "";
  std::string_view package = path.substr(folder + kBelow.size());
  const std::size_t slash = package.find('/');
  if (slash == std::string_view::npos) return "";
  package = package.substr(0, slash);
  constexpr std::string_view kLibraries = ".libs";
  if (package.ends_with(kLibraries)) package.remove_suffix(kLibraries.size());
  return package;
}

}  // namespace memo::doctor
