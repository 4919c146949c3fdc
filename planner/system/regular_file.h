// The one door through which the commands read files that users name: regular files, and nothing that can make them wait.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace memo::process {

// Says why a file cannot be read and what to do about it, without its path: callers know what they wanted it for.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A regular file, open for reading. A pipe, a socket or a device is refused at once, though another program may write into
// it: to read one may take for ever.
class RegularFile {
 public:
  // Throws Unreadable.
  explicit RegularFile(const std::filesystem::path& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // As large as it was when it was opened. Files of the kernel say 0 and hold more.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
};

// Both throw Unreadable. The second reads `most` bytes at most.
[[nodiscard]] std::string read_regular_file(const std::filesystem::path& path);
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);

}  // namespace memo::process
