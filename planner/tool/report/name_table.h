// Gives each name a number, so that sixty thousand buffers can share a few hundred names.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace memo::planner {

class NameTable {
 public:
  std::uint32_t add(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace memo::planner
