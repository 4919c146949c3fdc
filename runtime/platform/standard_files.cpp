#include "runtime/platform/standard_files.h"

#include <sys/stat.h>

#include "runtime/platform/file_identity.h"
#include "runtime/platform/kernel_call.h"
#include "runtime/platform/write_fully.h"

namespace memo::runtime {
namespace {

// No file where one was closed.
constinit FileIdentity g_standard_files[STDERR_FILENO + 1];
constinit bool g_remembered = false;

// Writes with a system call of its own. The C library's functions may belong to a sanitizer that is not ready yet
// when the library writes its first line.
struct Stderr {
  static long write(const char* bytes, std::size_t length) {
    if (is_as_at_start(STDERR_FILENO)) return kernel(SYS_write, STDERR_FILENO, bytes, length);
    errno = EBADF;
    return -1;
  }
};

}  // namespace

void remember_standard_files() {
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    if (!identify_descriptor(number, &g_standard_files[number])) g_standard_files[number] = {};
  }
  g_remembered = true;
}

bool is_as_at_start(int standard_file) {
  if (!g_remembered) return true;
  FileIdentity now;
  return identify_descriptor(standard_file, &now) && now.is_same_as(g_standard_files[standard_file]);
}

bool are_stdout_and_stderr_one_pipe() {
  FileIdentity out;
  return identify_descriptor(STDOUT_FILENO, &out) && (out.type & S_IFMT) == S_IFIFO &&
         shows(STDERR_FILENO, out);
}

void write_to_stderr(const char* bytes, std::size_t length) {
  write_fully(Stderr{}, bytes, length);
}

}  // namespace memo::runtime
