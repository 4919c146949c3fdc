#include "planner/tool/cli/doctor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/tool/cli/colours.h"

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

Colour colour_of(doctor::Level level) {
  switch (level) {
    case doctor::Level::kFine:
      return Colour::kGood;
    case doctor::Level::kAdvice:
      return Colour::kAdvice;
    case doctor::Level::kFault:
      return Colour::kBad;
  }
  return Colour::kBad;
}

}  // namespace

std::string doctor_text(const doctor::Findings& findings) {
  std::string text;
  for (const doctor::Finding& finding : findings) {
    const std::string level = fmt::format("{:<7}", name_of(finding.level));
    text +=
        fmt::format("{} {:<11} {}\n", coloured(level, colour_of(finding.level)), finding.about, finding.text);
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
