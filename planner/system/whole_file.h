// A file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

// Writes beside `path`, to a name that was free, and moves that to its place: whoever reads `path` meanwhile sees what was
// there before, a crash leaves that, and a link is replaced, never followed. Throws std::system_error.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace memo::process
