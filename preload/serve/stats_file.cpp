#include "preload/serve/stats_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>

#include "preload/heap/heap.h"
#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/serving.h"
#include "runtime/statistics.h"

namespace memo::guest {
namespace {

constinit std::atomic<std::int64_t> g_period{0};  // seconds
constinit std::atomic<std::int64_t> g_due{0};

std::int64_t seconds_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec;
}

// 0, or the error number. Closes the file.
int write_and_close(int file, const char* bytes, std::size_t length) {
  if (file < 0) return errno;
  const ssize_t written = write(file, bytes, length);
  const int error = written == static_cast<ssize_t>(length) ? 0 : (written < 0 ? errno : ENOSPC);
  return close(file) != 0 && error == 0 ? errno : error;
}

// A new file or none: nobody's link is followed. What a killed process of the same number left is removed.
int create(const char* path) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const int file = open(path, kFlags, 0666);
  if (file >= 0 || errno != EEXIST || unlink(path) != 0) return file;
  return open(path, kFlags, 0666);
}

// Written beside it, then put in its place: whoever reads sees the old text or the new. Beside it by the thread's number,
// since the process may end while another of its threads writes.
int replace_file(const char* path, const char* bytes, std::size_t length) {
  char beside[PATH_MAX];
  const int size = std::snprintf(beside, sizeof beside, "%s.%d.part", path, gettid());
  if (size >= PATH_MAX) return ENAMETOOLONG;
  int error = write_and_close(create(beside), bytes, length);
  if (error == 0 && rename(beside, path) == 0) return 0;
  if (error == 0) error = errno;
  unlink(beside);
  return error;
}

// A pipe that nobody reads must not hold up the program's end.
int write_in_place(const char* path, int follow, const char* bytes, std::size_t length) {
  constexpr int kFlags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  return write_and_close(open(path, kFlags | follow), bytes, length);
}

// What is no plain file (a terminal, a pipe, /dev/stderr) is written to as it is, unless somebody else laid a link there;
// and so is a file that cannot be replaced, as one that is mounted into a container.
int write_file(const char* path, const char* bytes, std::size_t length) {
  struct stat about {};
  const bool there = lstat(path, &about) == 0;
  if (there && S_ISLNK(about.st_mode) && about.st_uid != 0 && about.st_uid != geteuid()) return ELOOP;
  if (there && !S_ISREG(about.st_mode)) return write_in_place(path, 0, bytes, length);
  const int error = replace_file(path, bytes, length);
  return there && (error == EBUSY || error == EACCES) ? write_in_place(path, O_NOFOLLOW, bytes, length)
                                                      : error;
}

}  // namespace

std::size_t describe_statistics(char* out, std::size_t capacity) {
  heap::refresh_figures();
  const runtime::HeapFigures figures{.allocated = heap::figure("stats.allocated"),
                                     .resident = heap::figure("stats.resident")};
  return runtime::statistics_json(out, capacity, &figures);
}

void write_statistics(const char* path) {
  if (*path == '\0' || runtime::g_statistics.passes.load(std::memory_order_relaxed) == 0) return;
  char text[4096];
  char name[4096];
  std::size_t length = describe_statistics(text, sizeof text - 1);
  if (length > sizeof text - 2) length = sizeof text - 2;
  text[length++] = '\n';
  const bool forked = runtime::is_forked_child();
  const int cut = std::snprintf(name, sizeof name, "%s", path);
  if (forked)
    std::snprintf(name + cut, sizeof name - static_cast<std::size_t>(cut), ".%lu", platform::process_id());
  const int error = write_file(name, text, length);
  if (error != 0) log_trouble("cannot write the statistics to ", name, ": ", platform::describe_error(error));
}

void write_statistics_every(unsigned long seconds) {
  constexpr unsigned long kLongest = 1ul << 31;
  g_period.store(static_cast<std::int64_t>(seconds < kLongest ? seconds : kLongest),
                 std::memory_order_relaxed);
  g_due.store(seconds_now() + g_period.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void write_statistics_if_due(const char* path) {
  const std::int64_t period = g_period.load(std::memory_order_relaxed);
  if (period == 0) return;
  const std::int64_t now = seconds_now();
  std::int64_t due = g_due.load(std::memory_order_relaxed);
  if (now >= due && g_due.compare_exchange_strong(due, now + period)) write_statistics(path);
}

}  // namespace memo::guest
