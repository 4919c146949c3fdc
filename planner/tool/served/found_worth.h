// What earlier starts found serving from a plan to be worth: the file that the library keeps beside the plan
// (runtime/formats/worth_file.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace memo::planner {

struct FoundWorth {
  std::string sentence;  // as describe_worth() has it, and the day
  bool harms = false;
};

[[nodiscard]] std::filesystem::path found_worth_path(const std::filesystem::path& plan);

// Returns what counts at the plan's next start, of the kind of pass with most passes. Returns nothing where nothing was found, or
// where it is of another plan or another version, or too old.
[[nodiscard]] std::optional<FoundWorth> read_found_worth(const std::filesystem::path& plan);

}  // namespace memo::planner
