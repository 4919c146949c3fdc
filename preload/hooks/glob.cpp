#include "preload/hooks/glob.h"

namespace memo::guest {

// Matches greedily, and goes back to only one point: the last star. Takes linear time for the patterns that
// people write.
bool glob_matches(const char* pattern, std::size_t pattern_length, const char* text) {
  const char* const end = pattern + pattern_length;
  const char* after_star = nullptr;
  const char* retry = nullptr;
  while (*text != '\0') {
    if (pattern != end && *pattern == '*') {
      after_star = ++pattern;
      retry = text;
    } else if (pattern != end && (*pattern == '?' || *pattern == *text)) {
      ++pattern;
      ++text;
    } else if (after_star != nullptr) {
      pattern = after_star;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (pattern != end && *pattern == '*') ++pattern;
  return pattern == end;
}

}  // namespace memo::guest
