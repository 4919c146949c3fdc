#pragma once

#include <cstddef>

namespace memo::guest {

// Returns true if the pattern matches the whole text. `*` stands for any number of characters, also none, `?`
// for exactly one, and every other character for itself.
bool glob_matches(const char* pattern, std::size_t pattern_length, const char* text);

}  // namespace memo::guest
