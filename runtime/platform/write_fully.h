// A write that goes on until the last byte is written.
#pragma once

#include <cerrno>
#include <cstddef>

namespace memo::runtime {

// Writes all bytes to a file with a member write(bytes, length), which returns how many it took, or -1 with errno set.
// Returns 0 or the error number. A write that takes no byte is an error: it would be tried for ever.
template <typename File>
int write_fully(const File& file, const char* bytes, std::size_t length) {
  while (length != 0) {
    const auto written = file.write(bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    bytes += written;
    length -= static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace memo::runtime
