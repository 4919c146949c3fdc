#include "planner/system/on_path.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace memo::process {

namespace fs = std::filesystem;

std::string own_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

std::string on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code error;  // such as a word that is too long for a name
    if (fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0)
      return candidate.string();
  }
  return "";
}

}  // namespace memo::process
