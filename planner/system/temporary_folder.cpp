#include "planner/system/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace memo::process {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view purpose)
    : TemporaryFolder(purpose, fs::temp_directory_path()) {}

TemporaryFolder::TemporaryFolder(std::string_view purpose, const fs::path& parent) {
  std::string name = (parent / fmt::format("memomalloc.{}.XXXXXX", purpose)).string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error(
        fmt::format("cannot make a folder in {}; set TMPDIR to one that can be written to", parent.string()));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace memo::process
