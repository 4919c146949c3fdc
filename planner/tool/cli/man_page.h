// Writes man pages in roff, one for the command and one for each verb.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/cli/outline.h"

namespace memo::cli {

// Returns one man page. `all` is the whole command line, `verb` one of its elements.
[[nodiscard]] std::string man_page(const std::vector<VerbOutline>& all, const VerbOutline& verb);

// Returns "memomalloc" or "memomalloc-plan".
[[nodiscard]] std::string man_name(const VerbOutline& verb);

}  // namespace memo::cli
