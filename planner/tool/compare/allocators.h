// The allocators that a command is run under: each peer as its authors ship it, tuned never to return memory, and as
// vendors set it for inference; and those that the user names.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/system/child.h"

namespace memo::compare {

// When an allocator is compared: without being asked for, or only where the user names it.
enum class Compared { kUsually, kWhenNamed };

struct Allocator {
  std::string name;
  // The library to preload, as a path or a name that the loader finds; "" for the C library's malloc, kOurs for
  // libmemomalloc.so.
  std::string library;
  process::Environment settings;  // the variables that tune it
  std::string package;            // the Debian package that contains it; "" if the user brought the library
  Compared compared = Compared::kUsually;
};

inline constexpr std::string_view kOurs = "libmemomalloc.so";
inline constexpr std::string_view kOff = "off";
inline constexpr std::string_view kServe = "serve";

// Returns the table of allocators, glibc first. Of a library that has other names in other releases of Debian, the
// rows have the newest that the loader finds.
[[nodiscard]] std::span<const Allocator> all_allocators();

// Returns the rows of these names, in the table's order. Throws std::invalid_argument if a name has no row.
[[nodiscard]] std::vector<Allocator> allocators_named(const std::vector<std::string>& names);

// Returns true if the loader would find the library.
[[nodiscard]] bool is_installed(const Allocator& allocator);

// Returns the Debian package that contains a library of this file name, or "" if the table does not know it.
[[nodiscard]] std::string package_of(std::string_view file_name);

// Returns the settings as "NAME=value NAME=value".
[[nodiscard]] std::string settings_text(const Allocator& allocator);

// Returns true if the allocator is a jemalloc, or has one in it as this project's library does.
[[nodiscard]] inline bool contains_jemalloc(const Allocator& allocator) {
  return allocator.library.find("libjemalloc") != std::string::npos || allocator.library == kOurs;
}

// Returns the command to start for this allocator, without the settings of any other allocator.
[[nodiscard]] process::Command under(const Allocator& allocator, const std::vector<std::string>& words);

// Runs `true` under the allocator, with its output in `folder`. Returns "" if the loader preloads the library, else what
// it says against it. The loader only warns of some libraries and goes on without them, and then the C library's malloc
// would be measured under another name.
[[nodiscard]] std::string preload_failure(const Allocator& allocator, const std::filesystem::path& folder);

}  // namespace memo::compare
