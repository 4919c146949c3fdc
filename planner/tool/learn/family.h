// The processes that record into one work folder: the one that started the planner, those it forked, and those
// that were forked by these. The planner must live as long as one of them records for it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

namespace memo::learn {

// Waits for the end of the process, and then for the end of each process that holds the claim to record
// (runtime/formats/recording_claim.h) when the one before has ended. In the end calls `finish` and clears the
// work folder, while no process can claim anything in it. Returns false, with errno set, if the
// process cannot be watched; one that has ended already is no fault.
[[nodiscard]] bool outlive_family(pid_t process, const std::filesystem::path& work,
                                  const std::function<void()>& finish);

}  // namespace memo::learn
