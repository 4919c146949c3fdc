#include "planner/tool/report/report_page.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "planner/tool/report/page_parts.h"
#include "planner/tool/report/report_json.h"
#include "planner/tool/text/markup.h"

namespace memo::planner {
namespace {

// Returns the JSON with escapes that are safe in a script element, where "</" and "<!--" would end the text or
// change how a browser reads it.
std::string safe_in_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe += letter;
    }
  }
  return safe;
}

}  // namespace

std::string report_page(const Report& report) {
  const std::string data = report_json(report, Columns::kPacked)
                               .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  const std::array<std::pair<std::string_view, std::string>, 4> parts = {{
      {"{{title}}", safe_in_markup(report.title)},
      {"{{style}}", std::string(page::kStyle)},
      {"{{data}}", safe_in_script(data)},
      {"{{script}}", std::string(page::kScript)},
  }};
  std::string html;
  std::string_view rest = page::kMarkup;
  for (const auto& [place, text] : parts) {
    const std::size_t at = rest.find(place);
    html += rest.substr(0, at);
    html += text;
    rest.remove_prefix(at + place.size());
  }
  return html += rest;
}

}  // namespace memo::planner
