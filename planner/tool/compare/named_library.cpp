#include "planner/tool/compare/named_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "planner/system/base_name.h"

namespace memo::compare {
namespace {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// Returns true for "MALLOC_CONF=background_thread:true", and false for "dirty_decay_ms:-1" and "2=3".
bool begins_a_variable(const std::string& part) {
  const std::string name = part.substr(0, part.find('='));
  return name.size() < part.size() && !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// Splits at the commas that begin a variable.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (parts.empty() || begins_a_variable(part)) {
      parts.push_back(part);
    } else {
      parts.back() += "," + part;
    }
  }
  if (parts.empty()) parts.emplace_back();
  return parts;
}

// Returns the library as the program shall get it. A program may change its folder, so a relative path would not
// last.
std::string library_of(const std::string& path) {
  return path.find('/') == std::string::npos ? path
                                             : std::filesystem::absolute(path).lexically_normal().string();
}

void require_a_library(const std::string& text, const Allocator& allocator) {
  if (allocator.library.find_first_of(" :") != std::string::npos)
    throw std::invalid_argument(fmt::format(
        "--allocator \"{}\": LD_PRELOAD takes no path with a space or a colon; give one without", text));
  if (is_installed(allocator)) return;
  const std::string package = package_of(base_name(allocator.library));
  throw std::invalid_argument(
      fmt::format("--allocator \"{}\": the loader does not find {}; {}", text, allocator.library,
                  package.empty() ? "give the path of its file" : "it is in Debian's package " + package));
}

}  // namespace

Allocator named_library(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw std::invalid_argument(
        fmt::format("--allocator \"{}\" has no name; give NAME=PATH[,VARIABLE=VALUE...], as in "
                    "mimalloc3=/opt/libmimalloc.so.3,MIMALLOC_PURGE_DELAY=-1",
                    text));
  const std::vector<std::string> parts = parts_of(text.substr(equals + 1));
  Allocator allocator{text.substr(0, equals), library_of(parts.front()), {}, ""};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t value = parts[i].find('=') + 1;
    allocator.settings.emplace_back(parts[i].substr(0, value - 1), parts[i].substr(value));
  }
  require_a_library(text, allocator);
  return allocator;
}

}  // namespace memo::compare
