// A private folder for the files that a command leaves. The destructor deletes it.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

class TemporaryFolder {
 public:
  // Makes the folder among the temporary files. Throws std::runtime_error with the place where the folder could
  // not be made.
  explicit TemporaryFolder(std::string_view purpose);
  // Makes the folder in the folder `parent`. Throws likewise.
  TemporaryFolder(std::string_view purpose, const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace memo::process
