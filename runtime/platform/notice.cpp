#include "runtime/platform/notice.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/platform/spare_stack.h"
#include "runtime/platform/standard_files.h"

namespace memo::runtime {
namespace {

void say_on_stderr(const char* line) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, "memomalloc: %s\n", line);
  const auto bytes =
      static_cast<std::size_t>(length) < sizeof text ? static_cast<std::size_t>(length) : sizeof text - 1;
  write_to_stderr(text, bytes);
}

constinit std::atomic<NoticeSink> g_sink{&say_on_stderr};
constinit std::atomic<NoticeSink> g_note_sink{nullptr};

__attribute__((format(printf, 2, 0))) void say(NoticeSink sink, const char* format, va_list arguments) {
  va_list own;
  va_copy(own, arguments);
  on_spare_stack([&] {
    char line[448];
    std::vsnprintf(line, sizeof line, format, own);
    sink(line);
  });
  va_end(own);
}

}  // namespace

void set_notice_sink(NoticeSink sink) {
  g_sink.store(sink, std::memory_order_relaxed);
}

void set_note_sink(NoticeSink sink) {
  g_note_sink.store(sink, std::memory_order_relaxed);
}

void notice(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(g_sink.load(std::memory_order_relaxed), format, arguments);
  va_end(arguments);
}

void note(const char* format, ...) {
  const NoticeSink sink = g_note_sink.load(std::memory_order_relaxed);
  if (sink == nullptr) return;
  va_list arguments;
  va_start(arguments, format);
  say(sink, format, arguments);
  va_end(arguments);
}

}  // namespace memo::runtime
