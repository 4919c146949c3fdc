// Starts a command as a child process, and says exactly why a command could not be started.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace memo::process {

// The statuses for a command that could not be run. Shells use the same.
inline constexpr int kNotFound = 127;
inline constexpr int kNotExecutable = 126;

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Command {
  std::vector<std::string> words;
  Environment set;                 // added to the environment of this process
  std::vector<std::string> unset;  // variables to remove first
  std::string output;              // the file for stdout; empty: the stdout of this process
  std::string errors;              // the file for stderr; empty: the stderr of this process
  bool last_of_all = false;        // the child runs at the lowest priority (last_of_all.h)
  bool apart = false;              // the child has a process group of its own: no Ctrl-C reaches it
  // A descriptor that becomes the child's stdin and stdout. -1: the child has this process's stdin, and prints
  // to `output`.
  int channel = -1;
  std::string input;             // the file for stdin; empty: the stdin of this process
  void (*as_child)() = nullptr;  // called in the child, which has its files by then, just before its program
};

struct Child {
  pid_t id = 0;
  // The errno of an exec that failed. The caller must wait for such a child too.
  int exec_error = 0;
};

// Starts a child. Returns once the child runs its program, or has failed to. Throws std::system_error where the
// kernel provides no process.
[[nodiscard]] Child start(const Command& command);

// Waits for the child. Returns its exit status, 128 + n after signal n, or kNotFound or kNotExecutable if its
// program never ran. Stores in `usage`, where given, the resources that the child and the children it waited
// for have used.
[[nodiscard]] int wait_for(const Child& child, rusage* usage = nullptr);

// Returns true if the child has ended, and leaves its status for wait_for().
[[nodiscard]] bool has_ended(pid_t child);

// Waits for the end of the child, and leaves its status for wait_for().
void wait_for_end(const Child& child);

// Kills a child that stands apart, and all that it has started: it has its group once start() has returned. The
// caller must wait for it.
void kill_with_group(const Child& child);

// Sends the child SIGINT.
void interrupt(const Child& child);

// Serves as `as_child`: the child gets a SIGINT when the thread that started it ends, and whichever it gets waits until its
// program no longer blocks them.
void hold_interrupts_and_end_with_parent();

// Returns the value of LD_PRELOAD that puts `library` in front of what is preloaded already.
[[nodiscard]] std::string preload_value(const std::string& library);

// Returns the variables that put `library` into a program: LD_PRELOAD, and PYTHONPATH if `library` is a path to a
// file that has beside it what a Python shall run at its start. `others` are the program's further variables: one
// of them, or one of this process, may switch the Python side off.
[[nodiscard]] Environment injection(const std::string& library, const Environment& others);

}  // namespace memo::process
