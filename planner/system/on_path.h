// Finds the executable file of a command.
#pragma once

#include <string>

namespace memo::process {

// Returns the path of this process's executable.
[[nodiscard]] std::string own_program();

// Returns the path that execvp would run for `name`, or "" if there is none that may be executed.
[[nodiscard]] std::string on_path(const std::string& name);

}  // namespace memo::process
