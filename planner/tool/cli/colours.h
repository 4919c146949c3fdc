// Colours of words for people. A terminal gets them, unless NO_COLOR is set; a file or a pipe never does.
#pragma once

#include <string>
#include <string_view>

namespace memo::cli {

enum class Colour { kGood, kAdvice, kBad };

// Returns true if what is written to this descriptor may have colours.
[[nodiscard]] bool wants_colours(int descriptor);

// Returns the text in the colour if stdout takes colours, else the text as it is.
[[nodiscard]] std::string coloured(std::string_view text, Colour colour);

}  // namespace memo::cli
