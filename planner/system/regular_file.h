// The only way in which the commands read files that users name: regular files, and nothing that can make a
// command wait.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace memo::process {

// Says why a file cannot be read and what to do about it. The message has no path: each caller adds what it
// wanted the file for.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A regular file, open for reading. Refuses a pipe, a socket or a device at once, even if another program
// writes into it: reading one may take for ever.
class RegularFile {
 public:
  // Opens the file. Throws Unreadable.
  explicit RegularFile(const std::filesystem::path& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Returns the file's size when it was opened. Files of the kernel say 0 and hold more.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  int descriptor_ = -1;
  std::size_t bytes_ = 0;
};

// Return the whole file, and its first `most` bytes. Both throw Unreadable.
[[nodiscard]] std::string read_regular_file(const std::filesystem::path& path);
[[nodiscard]] std::string read_beginning(const std::filesystem::path& path, std::size_t most);

}  // namespace memo::process
