#include "runtime/platform/effort.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/platform/clock.h"
#include "runtime/platform/kernel_call.h"

namespace memo::runtime {
namespace {

// Where in an entry of a folder, as the kernel hands it out, its length and its name are.
constexpr long kLengthAt = 16, kNameAt = 19;

constexpr long kTooLong = 24;  // bytes of a name that is no thread's

// Reads the state from "NUMBER (NAME) STATE …"; the name may have any characters. Returns 0 where there is none.
char state_in(const char* text, long length) {
  for (long at = length - 3; at > 0; --at)
    if (text[at] == ')') return text[at + 2];
  return 0;
}

char state_of_thread(long folder, const char* thread) {
  static constexpr char kRest[] = "/stat";
  char path[kTooLong + sizeof kRest];
  std::copy_n(kRest, sizeof kRest, std::copy_n(thread, std::strlen(thread), path));
  const long file = kernel(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64];  // the name has up to 15 characters
  const long read = kernel(SYS_read, file, text, sizeof text);
  kernel(SYS_close, file);
  return state_in(text, read);
}

bool is_another_thread_that_would_run(long folder, const char* name, long self) {
  if (*name == '.' || std::strlen(name) >= kTooLong || std::atol(name) == self) return false;
  const char state = state_of_thread(folder, name);
  return state == 'R' || state == 'D';
}

// Looks through the entries of /proc/self/task.
bool finds_one_that_would_run(long folder) {
  char entries[1024];
  const long self = kernel(SYS_gettid);
  for (long length; (length = kernel(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
    for (long at = 0; at < length;) {
      std::uint16_t bytes;
      std::memcpy(&bytes, entries + at + kLengthAt, sizeof bytes);
      if (is_another_thread_that_would_run(folder, entries + at + kNameAt, self)) return true;
      at += bytes;
    }
  }
  return false;
}

}  // namespace

std::int64_t nanoseconds_worked() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::int64_t times_driven_out() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

bool another_thread_would_run() {
  const long folder = kernel(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool found = finds_one_that_would_run(folder);
  kernel(SYS_close, folder);
  return found;
}

}  // namespace memo::runtime
