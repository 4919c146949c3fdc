// Keeps the exit status of the program that a command runs, whatever happens to the command itself: a fault of ours, such as a
// page of a file that a full disk cannot give, must not take the status with it.
//
//   while the program runs    a thread that faults stands still, and the command ends with the program, doing nothing more
//   after it has ended        a fault, or an exception that nobody catches, ends the command with the program's status
#pragma once

#include <optional>

namespace memo::process {

// Handles the signals of faults from now on. To be called by the thread that waits for the program, before it is started.
void outlive_own_faults();

// Notes the program's status. Ends the command with it at once if a thread has faulted before: it may hold any lock.
void note_program_has_ended(int status);

// Returns nothing until then.
[[nodiscard]] std::optional<int> status_of_ended_program();

}  // namespace memo::process
