// Where plans are kept from one start of a program to the next: one file for each command, in the user's cache folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace memo::learn {

// $XDG_CACHE_HOME/memomalloc, else ~/.cache/memomalloc; "" where neither is set.
[[nodiscard]] std::filesystem::path cache_folder();

// The name of a command's plan: its program's, and a number made of its words and the program's build-id.
[[nodiscard]] std::string plan_name(const std::vector<std::string>& command);

// Can the plan serve what lies on the disk now? False for a file that is broken, and for one that was made from other
// builds of a binary that it names.
[[nodiscard]] bool is_current(const std::filesystem::path& plan);

}  // namespace memo::learn
