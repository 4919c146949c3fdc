// Writes a file so that it exists whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

// Writes to a new name beside `path`, then renames that file to `path`. Until then, readers of `path` see the
// former file, and so they do after a crash. A link at `path` is replaced, never followed. Throws
// std::system_error.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace memo::process
