#include "runtime/platform/effort.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/platform/clock.h"
#include "runtime/platform/kernel_call.h"
#include "runtime/platform/own_file.h"

namespace memo::runtime {
namespace {

// Where in an entry of a folder, as the kernel hands it out, its length and its name are.
constexpr long kLengthAt = 16, kNameAt = 19;

// Returns 0 where the kernel does not say.
char state_of_thread(long thread) {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/self/task/%ld/stat", thread);
  char text[64];  // "NUMBER (NAME) STATE …": the name has up to 15 characters, of any kind
  const std::int64_t bytes = read_beginning(path, text, sizeof text - 1);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  const char* end_of_name = std::strrchr(text, ')');
  return end_of_name == nullptr || end_of_name[1] == '\0' ? '\0' : end_of_name[2];
}

bool is_another_thread_that_would_run(const char* name, long self) {
  const long thread = std::atol(name);  // 0 for "." and ".."
  if (thread == 0 || thread == self) return false;
  const char state = state_of_thread(thread);
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
      if (is_another_thread_that_would_run(entries + at + kNameAt, self)) return true;
      at += bytes;
    }
  }
  return false;
}

std::uint64_t faults_of(decltype(RUSAGE_SELF) whose) {
  rusage usage{};
  getrusage(whose, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt);
}

}  // namespace

std::int64_t nanoseconds_worked() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::uint64_t nanoseconds_worked_by_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec * kSecond + time.tv_nsec);
}

std::uint64_t page_faults() {
  return faults_of(RUSAGE_SELF);
}

std::uint64_t page_faults_of_thread() {
  return faults_of(RUSAGE_THREAD);
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
