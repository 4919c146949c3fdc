#include "runtime/notice.h"

#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace memo::runtime {
namespace {

void write_to_stderr(const char* line) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, "memomalloc: %s\n", line);
  const auto bytes =
      static_cast<std::size_t>(length) < sizeof text ? static_cast<std::size_t>(length) : sizeof text - 1;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, bytes);
}

constinit std::atomic<NoticeSink> g_sink{&write_to_stderr};

}  // namespace

void set_notice_sink(NoticeSink sink) {
  g_sink.store(sink, std::memory_order_relaxed);
}

void notice(const char* format, ...) {
  char line[448];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  g_sink.load(std::memory_order_relaxed)(line);
}

}  // namespace memo::runtime
