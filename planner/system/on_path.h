// Where a command's program lies.
#pragma once

#include <string>

namespace memo::process {

// This one's.
[[nodiscard]] std::string own_program();

// As execvp looks for it; "" where there is none that may be run.
[[nodiscard]] std::string on_path(const std::string& name);

}  // namespace memo::process
