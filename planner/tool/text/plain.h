// Makes text of strangers fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace memo::planner {

// Returns the text with a question mark for each control character, which might move a terminal's cursor or recolour it, and
// with U+FFFD for bytes that are no UTF-8, which JSON cannot hold.
[[nodiscard]] std::string plain_text(std::string_view text);

}  // namespace memo::planner
