// Rows of cells as text in columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo::cli {

using Rows = std::vector<std::vector<std::string>>;

// The first column to the left, the others to the right; every row with as many cells as the first. `indent` stands in
// front of each line.
[[nodiscard]] std::string table(const Rows& rows, std::string_view indent = "");

}  // namespace memo::cli
