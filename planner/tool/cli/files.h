// Reads inputs and writes outputs, in the same way for every verb.
#pragma once

#include <string>
#include <string_view>

namespace memo::cli {

// Returns the content of the whole file; "-" is stdin. Throws Failure(kInput) with the reason if the file
// cannot be read.
[[nodiscard]] std::string read_input(const std::string& path);

// Throws Failure(kUsage) if the file exists and --force is not given. Verbs call it before the work, so that no
// work is lost.
void require_writable(const std::string& path, bool force);

// Writes all of the text or nothing: writes beside the path and then renames. Throws Failure(kRuntime).
void write_output(const std::string& path, std::string_view text);

}  // namespace memo::cli
