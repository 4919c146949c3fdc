// Formats rows of cells as text in columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo::cli {

using Rows = std::vector<std::vector<std::string>>;

// Aligns the first column to the left and the others to the right. Every row must have as many cells as the
// first. `indent` precedes each line.
[[nodiscard]] std::string table(const Rows& rows, std::string_view indent = "");

}  // namespace memo::cli
