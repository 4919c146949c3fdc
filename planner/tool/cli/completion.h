// Makes completions for the shells from the outline of the command line.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/cli/outline.h"

namespace memo::cli {

[[nodiscard]] std::string bash_completion(const std::vector<VerbOutline>& all);
[[nodiscard]] std::string zsh_completion(const std::vector<VerbOutline>& all);

}  // namespace memo::cli
