// Where plans are kept from one start of a program to the next: one file for each command, in the user's cache folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace memo::learn {

// $XDG_CACHE_HOME/memomalloc, else ~/.cache/memomalloc; "" where neither is set.
[[nodiscard]] std::filesystem::path cache_folder();

// The name of a command's plan: its program's, and a number made of the program's build-id, its path and the words. The
// library comes to the same one (preload/modes/auto/plan_name.cpp).
[[nodiscard]] std::string plan_name(const std::vector<std::string>& command);

// Is there a plan, and can it serve what lies on the disk now? One that is broken, or was made from other builds of a binary
// that it names, is thrown away with the traces it was made from, which is said.
[[nodiscard]] bool has_current_plan(const std::filesystem::path& plan,
                                    const std::function<void(const std::string&)>& say);

}  // namespace memo::learn
