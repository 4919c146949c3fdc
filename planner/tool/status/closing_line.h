// Writes the sentence with figures that is printed when a program ends.
#pragma once

#include <string>

#include "planner/tool/status/family.h"

namespace memo::status {

// Returns the sentence. Says the steady state first, and what came before it beside it.
[[nodiscard]] std::string closing_line(const FamilyFigures& figures);

}  // namespace memo::status
