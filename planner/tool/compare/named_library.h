// Reads an allocator that the user names on the command line: NAME=PATH[,VARIABLE=VALUE...].
#pragma once

#include <string>

#include "planner/tool/compare/allocators.h"

namespace memo::compare {

// Reads the text. A part between commas that has no "VARIABLE=" before it belongs to the part before, so that values may
// contain commas, as those of MALLOC_CONF do. The path may be a name that the loader finds, or nothing, which is the C
// library's malloc. Throws std::invalid_argument with a sentence if the text has another form, or if the library is
// not there.
[[nodiscard]] Allocator named_library(const std::string& text);

}  // namespace memo::compare
