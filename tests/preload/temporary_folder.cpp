#include "tests/preload/temporary_folder.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace memo::testing {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  path_ = (fs::temp_directory_path() / "memo_profile.XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  fs::remove_all(path_);
}

std::vector<std::string> TemporaryFolder::traces() const {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    if (entry.path().string().find(".trace") != std::string::npos) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace memo::testing
