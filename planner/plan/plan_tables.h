// The tables of a plan's file, and their bytes in the order of the format (runtime/formats/plan_format.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/formats/plan_format.h"

namespace memo::planner {

// Texts one after the other, each once.
class PlanStrings {
 public:
  // Returns the text's place.
  std::uint32_t add(const std::string& text);
  [[nodiscard]] const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::map<std::string, std::uint32_t> offsets_;
  std::vector<char> bytes_;
};

struct FileTables {
  std::uint64_t large_start = 0;
  std::vector<PlanModule> modules;
  std::vector<PlanSite> sites;
  std::vector<PlanCell> cells;
  std::vector<PlanVariant> variants;
  std::vector<PlanScope> scopes;
  std::vector<PlanSlot> slots;
  std::vector<PlanAnchor> anchors;
  std::vector<PlanLoop> loops;
  std::vector<PlanFormula> formulas;
  std::vector<PlanShapes> shapes;
  PlanStrings strings;
};

[[nodiscard]] std::vector<unsigned char> file_of(const FileTables& tables);

}  // namespace memo::planner
