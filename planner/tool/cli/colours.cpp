#include "planner/tool/cli/colours.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace memo::cli {
namespace {

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::kGood:
      return "\x1b[32m";  // green
    case Colour::kAdvice:
      return "\x1b[33m";  // yellow
    case Colour::kBad:
      return "\x1b[1;31m";  // bold red
  }
  return "";
}

}  // namespace

bool wants_colours(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool is_refused = no_colour != nullptr && *no_colour != '\0';
  return !is_refused && isatty(descriptor) != 0;
}

std::string coloured(std::string_view text, Colour colour) {
  if (!wants_colours(STDOUT_FILENO)) return std::string(text);
  return fmt::format("{}{}\x1b[m", code_of(colour), text);
}

}  // namespace memo::cli
