// The allocators that a command is run under: each peer as its authors ship it, and tuned never to return
// memory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/system/child.h"

namespace memo::compare {

struct Allocator {
  std::string_view name;
  // The library to preload; "" for the C library's malloc, kOurs for libmemomalloc.so.
  std::string_view library;
  std::string_view settings;  // variables that tune it: "NAME=value NAME=value"
  std::string_view package;   // the Debian package that contains it
  bool usual = true;          // it is compared when the user names no allocators
};

inline constexpr std::string_view kOurs = "libmemomalloc.so";
inline constexpr std::string_view kOff = "off";
inline constexpr std::string_view kServe = "serve";

[[nodiscard]] std::span<const Allocator> all_allocators();

// Returns the rows of these names, in the table's order. Throws std::invalid_argument if a name has no row.
[[nodiscard]] std::vector<Allocator> allocators_named(const std::vector<std::string>& names);

// Returns true if the loader would find the library by its name.
[[nodiscard]] bool is_installed(const Allocator& allocator);

// Returns the variables that tune the allocator.
[[nodiscard]] process::Environment settings_of(const Allocator& allocator);

[[nodiscard]] inline bool is_jemalloc(const Allocator& allocator) {
  return allocator.name.starts_with("jemalloc");
}

// Returns the command to start for this allocator, without the settings of any other allocator.
[[nodiscard]] process::Command under(const Allocator& allocator, const std::vector<std::string>& words);

}  // namespace memo::compare
