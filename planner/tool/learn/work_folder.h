// The folder into which the library writes the traces of a program that is learned, and its planner the plan.
#pragma once

#include <filesystem>
#include <vector>

namespace memo::learn {

// The files that a planner writes there.
inline constexpr const char* kMadePlan = "made.plan";
inline constexpr const char* kPlannerOutput = "planner.out";
inline constexpr const char* kPlannerErrors = "planner.err";

// Returns the traces in `work`, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& work);

// Returns true if a trace in `work` is about as large as the library lets one become: it holds all that can be learned from.
[[nodiscard]] bool is_full(const std::filesystem::path& trace);

// Deletes the traces in the folder and the files that the learner made, and then the folder, unless it holds
// other files.
void clear_work_folder(const std::filesystem::path& work);

}  // namespace memo::learn
