// Those that claim a work folder to record into it: the process that started the planner, and its descendants. The planner
// must live as long as one of them records for it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

namespace memo::learn {

// Waits for the end of the process, and then for the end of each process that holds the claim to record
// (runtime/formats/recording_claim.h) when the one before has ended. In the end calls `finish` and clears the
// work folder, while no process can claim anything in it. Returns false, with errno set, if the
// process cannot be watched; one that has ended already is no fault.
[[nodiscard]] bool outlive_claimants(pid_t process, const std::filesystem::path& work,
                                     const std::function<void()>& finish);

}  // namespace memo::learn
