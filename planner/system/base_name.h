// The last part of a path.
#pragma once

#include <string_view>

namespace memo {

// Returns what follows the last slash.
[[nodiscard]] constexpr std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace memo
