#include "planner/system/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace memo::process {
namespace {

[[noreturn]] void refuse(int error) {
  throw Unreadable(std::generic_category().message(error));
}

[[noreturn]] void refuse_kind(const char* kind) {
  throw Unreadable(
      fmt::format("it is {} and not a regular file; copy what it gives into a file, and name that", kind));
}

// Reads until the end of the file, or until it has `most` bytes.
std::string read_from(const RegularFile& file, std::size_t most) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  std::string text;
  text.reserve(std::min(most, file.bytes()));
  char block[kBlock];
  while (text.size() < most) {
    const ssize_t count = read(file.descriptor(), block, std::min(kBlock, most - text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(errno);
    if (count == 0) break;
    text.append(block, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

// Opens with O_NONBLOCK: without it, opening a pipe would block before fstat can recognise the pipe.
RegularFile::RegularFile(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
  if (descriptor_ < 0 && errno == ENXIO) refuse_kind("a socket, or a device that is not there");
  if (descriptor_ < 0) refuse(errno);
  struct stat about {};
  const int error = fstat(descriptor_, &about) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(about.st_mode)) {
    bytes_ = static_cast<std::size_t>(about.st_size);
    return;
  }
  close(descriptor_);
  if (error != 0 || S_ISDIR(about.st_mode)) refuse(error != 0 ? error : EISDIR);
  refuse_kind(S_ISFIFO(about.st_mode) ? "a pipe" : "a device");
}

RegularFile::~RegularFile() {
  close(descriptor_);
}

std::string read_regular_file(const std::filesystem::path& path) {
  return read_from(RegularFile(path), SIZE_MAX);
}

std::string read_beginning(const std::filesystem::path& path, std::size_t most) {
  return read_from(RegularFile(path), most);
}

}  // namespace memo::process
