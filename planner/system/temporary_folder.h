// A private folder for the files that a command leaves. The destructor deletes it.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

class TemporaryFolder {
 public:
  // Makes the folder. Throws std::runtime_error with the place where the folder could not be made.
  explicit TemporaryFolder(std::string_view purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace memo::process
