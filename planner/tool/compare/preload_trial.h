// Tries whether the loader can preload an allocator, before anything is measured under it.
#pragma once

#include <filesystem>
#include <string>

#include "planner/tool/compare/allocators.h"

namespace memo::compare {

// Runs `true` under the allocator, with its output in `folder`. Returns "" if the loader preloads the library, else what
// it says against it. The loader only warns of some libraries and goes on without them, and then the C library's malloc
// would be measured under another name.
[[nodiscard]] std::string preload_failure(const Allocator& allocator, const std::filesystem::path& folder);

}  // namespace memo::compare
