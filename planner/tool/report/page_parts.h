// The text of the files in page/, embedded when the command is built (scripts/cmake/EmbedText.cmake).
#pragma once

#include <string_view>

namespace memo::planner::page {

// The markup, with one place for each of {{title}}, {{style}}, {{data}}, {{script}}, in this order.
extern const std::string_view kMarkup;
extern const std::string_view kStyle;
extern const std::string_view kScript;

}  // namespace memo::planner::page
