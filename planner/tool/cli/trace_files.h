// Finds the traces that a command line names: files, and folders that have traces in them.
#pragma once

#include <string>
#include <vector>

namespace memo::cli {

// Returns the files. A folder stands for all files in it and below it whose names end in ".trace", sorted. A file that is
// named twice is returned once, since its passes must not count twice. Warns of a folder without traces. Throws
// Failure(kInput) if there is no file at all.
[[nodiscard]] std::vector<std::string> trace_files(const std::vector<std::string>& arguments);

}  // namespace memo::cli
