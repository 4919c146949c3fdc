#include "preload/platform/whole_file.h"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>

#include "preload/platform/platform.h"
#include "runtime/platform/paths.h"

namespace memo::guest::platform {

int write_and_close(runtime::OwnFile& file, const void* bytes, std::size_t length) {
  const std::int64_t written = file.write(bytes, length);
  const int error = written == static_cast<std::int64_t>(length) ? 0 : (written < 0 ? errno : ENOSPC);
  return file.close() != 0 && error == 0 ? errno : error;
}

// The thread's number is part of the temporary name, since the process may end while another of its threads writes.
// A file of that name was left by a killed process of the same number.
int replace_file(const char* path, const void* bytes, std::size_t length) {
  char beside[PATH_MAX];
  const int size = std::snprintf(beside, sizeof beside, "%s.%lu.part", path, thread_id());
  if (size >= PATH_MAX) return ENAMETOOLONG;
  runtime::OwnFile file;
  int error = file.open_in_place_of(beside, runtime::Open::kWrite, 0666)
                  ? write_and_close(file, bytes, length)
                  : errno;
  if (error == 0 && runtime::rename_file(beside, path)) return 0;
  if (error == 0) error = errno;
  runtime::remove_file(beside);
  return error;
}

}  // namespace memo::guest::platform
