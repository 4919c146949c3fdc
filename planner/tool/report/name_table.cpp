#include "planner/tool/report/name_table.h"

namespace memo::planner {

std::uint32_t NameTable::add(const std::string& name) {
  const auto [at, added] = index_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) names_.push_back(name);
  return at->second;
}

}  // namespace memo::planner
