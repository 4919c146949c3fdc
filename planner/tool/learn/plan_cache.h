// Keeps plans from one start of a program to the next: one file for each command, in the user's cache folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace memo::learn {

// Returns $XDG_CACHE_HOME/memomalloc, else ~/.cache/memomalloc, or "" where neither variable is set.
[[nodiscard]] std::filesystem::path cache_folder();

// Returns the name of a command's plan: the name of its program and a hash of the program's build-id, its path
// and the arguments. The library computes the same name (preload/modes/auto/plan_name.cpp).
[[nodiscard]] std::string plan_name(const std::vector<std::string>& command);

// Returns true if there is a plan that can serve the binaries now on the disk. Deletes a plan that is broken,
// or was made from other builds of a binary that it names, together with the traces it was made from, and says
// so through `say`.
[[nodiscard]] bool has_current_plan(const std::filesystem::path& plan,
                                    const std::function<void(const std::string&)>& say);

}  // namespace memo::learn
