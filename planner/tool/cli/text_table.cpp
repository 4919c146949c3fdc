#include "planner/tool/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace memo::cli {
namespace {

// Counts what a terminal shows of the cell: colours take no room.
std::size_t width_of(const std::string& cell) {
  std::size_t width = 0;
  bool in_colour = false;
  for (const char byte : cell) {
    if (byte == '\x1b') in_colour = true;
    if (!in_colour) ++width;
    if (byte == 'm') in_colour = false;
  }
  return width;
}

std::string padding(const std::string& cell, std::size_t width) {
  return std::string(width - width_of(cell), ' ');
}

}  // namespace

std::string table(const Rows& rows, std::string_view indent) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("{}{}{}", indent, row[0], padding(row[0], widths[0]));
    for (std::size_t i = 1; i < row.size(); ++i)
      text += fmt::format("  {}{}", padding(row[i], widths[i]), row[i]);
    text += '\n';
  }
  return text;
}

}  // namespace memo::cli
