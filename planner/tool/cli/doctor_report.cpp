#include "planner/tool/cli/doctor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memo::cli {
namespace {

const char* name_of(doctor::Level level) {
  switch (level) {
    case doctor::Level::kFine:
      return "fine";
    case doctor::Level::kAdvice:
      return "advice";
    case doctor::Level::kFault:
      return "FAULT";
  }
  return "";
}

}  // namespace

std::string doctor_text(const doctor::Findings& findings) {
  std::string text;
  for (const doctor::Finding& finding : findings) {
    text += fmt::format("{:<7} {:<11} {}\n", name_of(finding.level), finding.about, finding.text);
    if (!finding.cure.empty()) text += fmt::format("{:>19} {}\n", "mend it:", finding.cure);
  }
  return text;
}

std::string doctor_json(const doctor::Findings& findings) {
  nlohmann::ordered_json json = {
      {"works", std::ranges::count(findings, doctor::Level::kFault, &doctor::Finding::level) == 0},
      {"findings", nlohmann::ordered_json::array()}};
  for (const doctor::Finding& finding : findings)
    json["findings"].push_back(
        {{"level", finding.level == doctor::Level::kFault ? "fault" : name_of(finding.level)},
         {"about", finding.about},
         {"text", finding.text},
         {"cure", finding.cure}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace memo::cli
