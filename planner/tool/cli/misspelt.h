// Explains a command line that the parser refuses: one sentence, with what was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

[[nodiscard]] std::string explain_refusal(const CLI::App& app, const CLI::ParseError& error);

// Returns the word with the fewest letters to change, or "" if none is near.
[[nodiscard]] std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace memo::cli
