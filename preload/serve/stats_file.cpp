#include "preload/serve/stats_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "preload/heap/heap.h"
#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/serving.h"
#include "runtime/statistics.h"

namespace memo::guest {
namespace {

// 0, or the error number.
int write_file(const char* path, const char* bytes, std::size_t length) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const ssize_t written = write(file, bytes, length);
  const int error = written == static_cast<ssize_t>(length) ? 0 : (written < 0 ? errno : ENOSPC);
  return close(file) == 0 ? error : errno;
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

}  // namespace memo::guest
