#include "planner/system/text_file.h"

#include <fstream>

#include "planner/system/regular_file.h"

namespace memo::process {
namespace {

constexpr std::size_t kLongestLine = 4096;

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string first_line_of(const std::filesystem::path& path) {
  try {
    const std::string beginning = read_beginning(path, kLongestLine);
    return beginning.substr(0, beginning.find('\n'));
  } catch (const Unreadable&) {
    return "";
  }
}

std::string field_of(const std::filesystem::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && without_blanks_around(line.substr(0, colon)) == name)
      return without_blanks_around(line.substr(colon + 1));
  }
  return "";
}

}  // namespace memo::process
