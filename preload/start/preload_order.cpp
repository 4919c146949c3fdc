#include "preload/start/preload_order.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

constexpr const char* kSeparators = ": ";

// Returns the first word of the list that is `word`, or null.
char* find_word(char* list, const char* word) {
  const std::size_t length = std::strlen(word);
  for (char* at = list + std::strspn(list, kSeparators); *at != '\0'; at += std::strspn(at, kSeparators)) {
    const std::size_t here = std::strcspn(at, kSeparators);
    if (here == length && std::memcmp(at, word, length) == 0) return at;
    at += here;
  }
  return nullptr;
}

const char* after_last_slash(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

}  // namespace

// Turns "a:b:word" into "worda:b:", and the rest of that into ":a:b".
bool move_to_beginning(char* list, const char* word) {
  char* found = find_word(list, word);
  if (found == nullptr) return false;
  char* end = found + std::strlen(word);
  if (found == list) return true;
  std::rotate(list, found, end);
  std::rotate(list + std::strlen(word), end - 1, end);
  return true;
}

// The loader finds a name without a slash on its own paths, and then the library's path is longer than the word.
bool put_library_first() {
  char* list = platform::setting_of_start("LD_PRELOAD");
  const char* own = platform::own_path();
  return list != nullptr && (move_to_beginning(list, own) || move_to_beginning(list, after_last_slash(own)));
}

}  // namespace memo::guest
