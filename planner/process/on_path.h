// Where a command's program lies.
#pragma once

#include <string>

namespace memo::process {

// As execvp looks for it; "" where there is none that may be run.
[[nodiscard]] std::string on_path(const std::string& name);

}  // namespace memo::process
