// Reading inputs and writing outputs as every verb does it.
#pragma once

#include <string>
#include <string_view>

namespace memo::cli {

// The whole file; "-" is stdin. Throws Failure(kInput) that says why it cannot be read.
[[nodiscard]] std::string read_input(const std::string& path);

// Refuses (Failure(kUsage)) to overwrite an existing file without --force. Asked before the work, not after
// it.
void require_writable(const std::string& path, bool force);

// All of the text or nothing: written beside the path and moved there. Throws Failure(kRuntime).
void write_output(const std::string& path, std::string_view text);

}  // namespace memo::cli
