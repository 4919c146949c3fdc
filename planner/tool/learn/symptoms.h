// Gathers what a diagnosis is made from: the program's file and the traces it left.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/learn/diagnosis.h"

namespace memo::learn {

// Reads the program's file and the traces. Returns nothing if there is neither: whoever starts a program that
// does not exist says so.
[[nodiscard]] std::optional<Facts> gather_facts(const std::string& program,
                                                const std::vector<std::filesystem::path>& traces, bool ended);

}  // namespace memo::learn
