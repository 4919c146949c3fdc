// Short files of text that the kernel keeps, or a script: their first line, and fields of the form "name: value".
#pragma once

#include <filesystem>
#include <string>

namespace memo::process {

// Returns the first line of the file, cut to 4096 bytes, or "" if the file cannot be read.
[[nodiscard]] std::string first_line_of(const std::filesystem::path& path);

// Returns the value of the first line whose name is `name`, or "" if the file has none or cannot be read.
[[nodiscard]] std::string field_of(const std::filesystem::path& path, const std::string& name);

}  // namespace memo::process
