#include "preload/log/log.h"

#include <cerrno>
#include <cstring>

#include "preload/platform/decimal.h"
#include "preload/platform/platform.h"
#include "runtime/platform/standard_files.h"

namespace memo::guest {
namespace {

enum class Destination { kTroubleOnStderr, kStderr, kFile, kNowhere };

Destination g_destination = Destination::kTroubleOnStderr;
const char* g_path = "";

}  // namespace

LogLine::LogLine() {
  append("memomalloc[");
  append(platform::process_id());
  append("]: ");
}

void LogLine::append(const char* text) {
  const std::size_t room = kCapacity - 1 - length_;  // the last byte is for the newline
  const std::size_t size = strnlen(text, room);
  std::memcpy(text_ + length_, text, size);
  length_ += size;
}

void LogLine::append(unsigned long number) {
  append(Decimal(number).text());
}

void LogLine::append(int number) {
  if (number < 0) append("-");
  append(number < 0 ? 0UL - static_cast<unsigned long>(number) : static_cast<unsigned long>(number));
}

const char* LogLine::finish() {
  text_[length_++] = '\n';
  return text_;
}

void open_log(const char* destination) {
  runtime::remember_standard_files();
  g_path = destination;
  g_destination = Destination::kFile;
  if (*destination == '\0') g_destination = Destination::kTroubleOnStderr;
  if (std::strcmp(destination, "stderr") == 0) g_destination = Destination::kStderr;
  if (std::strcmp(destination, "off") == 0) g_destination = Destination::kNowhere;
}

bool log_wants(LogLevel level) {
  if (g_destination == Destination::kNowhere) return false;
  return level == LogLevel::kTrouble || g_destination != Destination::kTroubleOnStderr;
}

namespace {

// Sends all later lines to stderr, trouble only.
void give_up_log(int error) {
  g_destination = Destination::kTroubleOnStderr;
  log_trouble("cannot write the log \"", g_path, "\": ", platform::describe_error(error),
              "; set MEMOMALLOC_LOG to a writable file, stderr or off");
}

}  // namespace

void log_write(LogLevel level, LogLine& line) {
  const int saved = errno;
  const char* text = line.finish();
  if (g_destination == Destination::kFile) {
    const int error = platform::append_to_file(g_path, text, line.length());
    if (error != 0) give_up_log(error);
  }
  if (g_destination != Destination::kFile && log_wants(level)) {
    runtime::write_to_stderr(text, line.length());
  }
  errno = saved;
}

}  // namespace memo::guest
