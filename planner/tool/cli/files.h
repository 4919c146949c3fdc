// Reads inputs and writes outputs, in the same way for every verb.
#pragma once

#include <string>
#include <string_view>

namespace memo::cli {

// Returns the content of the whole file; "-" is stdin. Throws Failure(kInput) with the reason if the file
// cannot be read.
[[nodiscard]] std::string read_input(const std::string& path);

// Throws Failure(kUsage) if the file exists and --force is not given, or if its folder does not exist. Verbs call it before the work, so that no
// work is lost.
void require_writable(const std::string& path, bool force);

// Makes the way free for statistics that the program is to write at `path`: removes those of an earlier run, which
// would look like those of this one. Leaves devices, pipes and links alone. Throws Failure(kUsage) if the path is a
// folder, or in a folder that does not exist.
void make_way_for_statistics(const std::string& path);

// Throws Failure(kUsage) if the file's folder does not exist: before the work, whose result would have no place.
void require_folder_of(const std::string& path);

// Writes all of the text or nothing: writes beside the path and then renames. Throws Failure(kRuntime).
void write_output(const std::string& path, std::string_view text);

}  // namespace memo::cli
