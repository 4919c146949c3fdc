// Text as it stands between the quotes of a JSON string.
#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the text to `out`, without a NUL, and returns the bytes written. Leaves out what does not fit, but cuts no
// character apart. Bytes that are no UTF-8, as in some paths, become question marks.
std::size_t write_json_text(char* out, std::size_t room, const char* text);

}  // namespace memo::guest
