// A folder of our own for what a command leaves behind; gone with the object.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

class TemporaryFolder {
 public:
  // Throws std::runtime_error that says where it could not be made.
  explicit TemporaryFolder(std::string_view purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace memo::process
