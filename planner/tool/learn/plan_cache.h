// Keeps plans from one start of a program to the next: one file for each command, in the user's cache folder,
// under the name that command_name.h gives it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace memo::learn {

// Returns $XDG_CACHE_HOME/memomalloc, else ~/.cache/memomalloc, or "" where neither variable is set.
[[nodiscard]] std::filesystem::path cache_folder();

// Returns why the plan cannot serve the binaries now on the disk, in a few words; "" if it can.
[[nodiscard]] std::string why_stale(const std::filesystem::path& plan);

// Returns true if there is a plan that can serve the binaries now on the disk. Deletes a plan that is broken,
// or was made from other builds of a binary that it names, together with what is kept beside it, and says so
// through `say`.
[[nodiscard]] bool has_current_plan(const std::filesystem::path& plan,
                                    const std::function<void(const std::string&)>& say);

}  // namespace memo::learn
