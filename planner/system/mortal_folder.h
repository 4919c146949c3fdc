// A temporary folder that goes even where a signal ends this process, be it Ctrl-C or SIGKILL. For commands that a user
// interrupts while the programs that they started run.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "planner/system/temporary_folder.h"

namespace memo::process {

// Starts a process that sleeps as long as this one lives, and then deletes the folder. Without such a process, the
// folder goes with the object.
class MortalFolder {
 public:
  // Throws as TemporaryFolder does.
  explicit MortalFolder(std::string_view purpose);
  ~MortalFolder();
  MortalFolder(const MortalFolder&) = delete;
  MortalFolder& operator=(const MortalFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  int lifeline_ = -1;  // the end of a pipe that only this process holds
  pid_t deleter_ = -1;
};

}  // namespace memo::process
