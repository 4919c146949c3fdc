#pragma once

#include <cstddef>

namespace memo::guest {

// `*` stands for any characters, also none, `?` for exactly one; everything else for itself.
bool glob_matches(const char* pattern, std::size_t pattern_length, const char* text);

}  // namespace memo::guest
