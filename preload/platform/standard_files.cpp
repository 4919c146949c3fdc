#include "preload/platform/standard_files.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "preload/platform/platform.h"
#include "runtime/platform/own_file.h"

namespace memo::guest::platform {
namespace {

// The files that stdin, stdout and stderr were when the library started; no file where one was closed.
constinit runtime::FileIdentity g_standard_files[STDERR_FILENO + 1];

using runtime::Open;
constexpr Open kForAppend = Open::kWrite | Open::kMake | Open::kAppend | Open::kNoWaiting;

// Writes to stderr with a system call of its own. The C library's functions may belong to a sanitizer that is
// not ready yet when the library writes its first line.
struct Stderr {
  static ssize_t write(const char* bytes, std::size_t length) {
    if (is_as_at_start(STDERR_FILENO)) return syscall(SYS_write, STDERR_FILENO, bytes, length);
    errno = EBADF;
    return -1;
  }
};

// Writes all bytes. Returns 0 or the error number. A write that takes no byte is an error: it would be tried for ever.
template <typename File>
int write_fully(const File& file, const char* bytes, std::size_t length) {
  while (length != 0) {
    const long written = file.write(bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? EIO : errno;
    bytes += written;
    length -= static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace

bool is_as_at_start(int standard_file) {
  runtime::FileIdentity now;
  return runtime::identify_descriptor(standard_file, &now) && now.is_same_as(g_standard_files[standard_file]);
}

int append_to_file(const char* path, const char* bytes, std::size_t length) {
  if (leads_to_another_standard_file(path)) return EBADF;
  runtime::OwnFile file;
  if (!file.open(path, kForAppend, 0644)) return errno;
  const int error = write_fully(file, bytes, length);
  file.close();
  return error;
}

void remember_standard_files() {
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    if (!runtime::identify_descriptor(number, &g_standard_files[number])) g_standard_files[number] = {};
  }
}

bool leads_to_another_standard_file(const char* path) {
  static constexpr const char* kNames[][3] = {{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"},
                                              {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                                              {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}};
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    for (const char* name : kNames[number]) {
      if (std::strcmp(path, name) == 0) return !is_as_at_start(number);
    }
  }
  return false;
}

void write_to_stderr(const char* bytes, std::size_t length) {
  write_fully(Stderr{}, bytes, length);
}

}  // namespace memo::guest::platform
