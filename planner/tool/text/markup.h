// Escapes text for HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace memo::planner {

// Returns markup that shows the text as it is and opens no element and no entity.
inline std::string safe_in_markup(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

}  // namespace memo::planner
