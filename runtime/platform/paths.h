// Files and folders by their paths. Functions that return false set errno.
#pragma once

#include <cstddef>

namespace memo::runtime {

// Returns what follows the last slash.
[[nodiscard]] const char* base_name(const char* path);

enum class Use { kFind, kWrite, kRun, kWriteInside };

// Returns true if the real user may use the path in this way.
[[nodiscard]] bool may_use(const char* path, Use use);

bool remove_file(const char* path);
bool rename_file(const char* from, const char* to);  // replaces `to`, if there is one, in one step

// `rights` are the bits of chmod, less those of the umask.
bool make_folder(const char* path, unsigned rights);
bool remove_folder(const char* path);

// Write the path that a link leads to, and the working folder. A path that does not fit is no success.
bool read_link(const char* link, char* out, std::size_t capacity);
bool working_folder(char* out, std::size_t capacity);

}  // namespace memo::runtime
