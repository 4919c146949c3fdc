// The allocators a command is run under: every peer as its authors ship it, and tuned never to give memory back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/system/child.h"

namespace memo::compare {

struct Allocator {
  std::string_view name;
  std::string_view library;   // what is preloaded; "" is the C library's own, kOurs this project's
  std::string_view settings;  // variables it is tuned with: "NAME=value NAME=value"
  std::string_view package;   // the Debian package that has it
  bool usual = true;          // compared with where no names are given
};

inline constexpr std::string_view kOurs = "libmemomalloc.so";
inline constexpr std::string_view kOff = "off";
inline constexpr std::string_view kServe = "serve";

[[nodiscard]] std::span<const Allocator> all_allocators();

// The rows of these names, in the table's order; throws std::invalid_argument for a name that is not there.
[[nodiscard]] std::vector<Allocator> allocators_named(const std::vector<std::string>& names);

// Whether the loader would find the library by its name.
[[nodiscard]] bool is_installed(const Allocator& allocator);

[[nodiscard]] inline bool is_jemalloc(const Allocator& allocator) {
  return allocator.name.starts_with("jemalloc");
}

// What to run a command with, for it to use this allocator and no settings that were meant for another.
[[nodiscard]] process::Command under(const Allocator& allocator, const std::vector<std::string>& words);

}  // namespace memo::compare
