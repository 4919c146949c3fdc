// Asks the kernel whose a file is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace memo::process {

struct FileOwner {
  std::uint32_t user;
  std::uint32_t rights;  // the bits of chmod
};

// Returns nothing if there is no such file, or the kernel does not tell.
[[nodiscard]] std::optional<FileOwner> owner_of(const std::filesystem::path& path);

// Returns the user whose rights this process has.
[[nodiscard]] std::uint32_t own_user();

}  // namespace memo::process
