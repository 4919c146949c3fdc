// Limits the bytes that the kept traces of all plans in a cache folder take together. `memomalloc cache limit`
// sets it. The learner applies it whenever it keeps a trace.
#pragma once

#include <cstdint>
#include <filesystem>

namespace memo::learn {

inline constexpr std::uint64_t kUsualTraceLimit = 256U << 20;

// Returns the limit in force in the folder: the one in its file settings.json, else the usual one.
[[nodiscard]] std::uint64_t trace_limit(const std::filesystem::path& folder);

// Throws std::system_error if the settings cannot be written.
void set_trace_limit(const std::filesystem::path& folder, std::uint64_t bytes);

// Deletes kept traces, the oldest first and never a plan, until the rest keep to the limit. Returns how many
// bytes it deleted.
std::uint64_t apply_trace_limit(const std::filesystem::path& folder);

}  // namespace memo::learn
