// Starting somebody's command, and the truth about one that could not be started.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace memo::process {

// What a command that could not be run exits with, as shells have it.
inline constexpr int kNotFound = 127;
inline constexpr int kNotExecutable = 126;

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Command {
  std::vector<std::string> words;
  Environment set;                 // over what this process has
  std::vector<std::string> unset;  // taken out before
  std::string output;              // a file for stdout; empty: this process's
  std::string errors;              // a file for stderr; empty: this process's
  bool last_of_all = false;        // at the lowest priority (last_of_all.h)
  int channel = -1;  // a descriptor to read from and print to; -1: this process's stdin and `output`
};

struct Child {
  pid_t id = 0;
  int exec_error = 0;  // errno of an exec that failed; the child has still to be waited for
};

// Returns once the child runs its program, or could not. Throws std::system_error where there is no process to be had.
[[nodiscard]] Child start(const Command& command);

// Waits for the child. What it exited with, 128 + n for a signal; kNotFound or kNotExecutable if it never ran. `usage`,
// where given, receives what it and the children it waited for have used.
[[nodiscard]] int wait_for(const Child& child, rusage* usage = nullptr);

// The value of LD_PRELOAD that puts `library` in front of what is preloaded already.
[[nodiscard]] std::string preload_value(const std::string& library);

}  // namespace memo::process
