// Running the program for a moment with the library in it: what only shows then.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/system/child.h"

namespace memo::doctor {

struct Trial {
  int status = 0;                    // as a shell has it
  int exec_error = 0;                // errno, where it could not be run
  bool ended_itself = true;          // before the time was over
  std::vector<std::string> log;      // what the library said in any of its processes, without the prefix
  std::vector<std::string> objects;  // files that were mapped to be executed
  std::string last_words;            // the last line on stderr
};

// `environment` is set over this process's; the library's log goes to the folder. When the time is over the program and
// all it has started are told to end, and killed if they do not.
[[nodiscard]] Trial try_out(const std::vector<std::string>& command, process::Environment environment,
                            double seconds, const std::filesystem::path& folder);

}  // namespace memo::doctor
