// The name under which a command's plan is kept, by the rule of runtime/formats/plan_name.h.
#pragma once

#include <string>
#include <vector>

namespace memo::learn {

// Returns the name of the plan of the program that the command comes to run. For a script, that is the
// interpreter in its first line. `ort_arena` is the value of MEMOMALLOC_ORT_ARENA for it. The library computes the same name (preload/modes/auto/plan_name.cpp).
[[nodiscard]] std::string plan_name(const std::vector<std::string>& command,
                                    const std::string& ort_arena = {});

// Returns the files that the command names, in the words of runtime/formats/named_files.h for a command that this process
// starts. A word may be a command of its own, as in sh -c "python3 app.py; exit 1".
[[nodiscard]] std::string named_files(const std::vector<std::string>& command);

// Returns the command as a line calls it: its words up to the first file among them, or up to a module, which say what an interpreter runs.
[[nodiscard]] std::string short_form(const std::vector<std::string>& command);

}  // namespace memo::learn
