// Runs the program for a moment with the library preloaded, to see what its files alone do not show.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/system/child.h"

namespace memo::doctor {

struct Trial {
  int status = 0;            // as a shell reports it
  int exec_error = 0;        // the errno if the program could not be run
  bool ended_itself = true;  // false if the time was over first
  // The lines that the library logged in any of the program's processes, without the prefix.
  std::vector<std::string> log;
  std::vector<std::string> objects;  // files with mappings that may be executed
  std::string last_words;            // the last line on stderr
};

// Runs the command with `environment` added to this process's variables. The library's log goes to `folder`.
// When the time is over, sends SIGTERM to the program and all its descendants, and kills those that do not end.
[[nodiscard]] Trial try_out(const std::vector<std::string>& command, process::Environment environment,
                            double seconds, const std::filesystem::path& folder);

}  // namespace memo::doctor
