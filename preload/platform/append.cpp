#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "preload/platform/platform.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/standard_files.h"
#include "runtime/platform/write_fully.h"

namespace memo::guest::platform {
namespace {

using runtime::Open;
constexpr Open kForAppend = Open::kWrite | Open::kMake | Open::kAppend | Open::kNoWaiting;

}  // namespace

int append_to_file(const char* path, const char* bytes, std::size_t length) {
  if (leads_to_another_standard_file(path)) return EBADF;
  runtime::OwnFile file;
  if (!file.open(path, kForAppend, 0644)) return errno;
  const int error = runtime::write_fully(file, bytes, length);
  file.close();
  return error;
}

bool leads_to_another_standard_file(const char* path) {
  static constexpr const char* kNames[][3] = {{"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"},
                                              {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                                              {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}};
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    for (const char* name : kNames[number]) {
      if (std::strcmp(path, name) == 0) return !runtime::is_as_at_start(number);
    }
  }
  return false;
}

}  // namespace memo::guest::platform
