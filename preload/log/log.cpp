#include "preload/log/log.h"

#include <cerrno>
#include <cstring>

#include "preload/log/json_text.h"
#include "preload/log/speaker.h"
#include "preload/log/utc_time.h"
#include "preload/platform/decimal.h"
#include "preload/platform/platform.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/standard_files.h"

namespace memo::guest {
namespace {

enum class Destination { kTroubleOnStderr, kStderr, kFile, kNowhere };

Destination g_destination = Destination::kTroubleOnStderr;
const char* g_path = "";

LogFormat g_format = LogFormat::kPlain;
UnspokenSink g_unspoken = nullptr;

const char* name_of(LogLevel level) {
  return level == LogLevel::kTrouble ? "warning" : "info";
}

}  // namespace

LogLine::LogLine(LogLevel level) {
  switch (g_format) {
    case LogFormat::kPlain:
      begin_plain();
      break;
    case LogFormat::kTimed:
      begin_timed(level);
      break;
    case LogFormat::kJson:
      begin_json(level);
      break;
  }
  begin_ = length_;
}

void LogLine::begin_plain() {
  put("memomalloc[");
  put(Decimal(platform::process_id()).text());
  put("]: ");
}

void LogLine::begin_timed(LogLevel level) {
  put(UtcTime(runtime::nanoseconds_since_1970()).text());
  put(" memomalloc[");
  put(Decimal(platform::process_id()).text());
  put("] ");
  put(name_of(level));
  put(": ");
}

void LogLine::begin_json(LogLevel level) {
  put(R"({"time":")");
  put(UtcTime(runtime::nanoseconds_since_1970()).text());
  put(R"(","level":")");
  put(name_of(level));
  put(R"(","pid":)");
  put(Decimal(platform::process_id()).text());
  put(R"(,"message":")");
}

void LogLine::put(const char* text) {
  const std::size_t size = strnlen(text, kRoom - length_);
  std::memcpy(text_ + length_, text, size);
  length_ += size;
}

void LogLine::append(const char* text) {
  if (g_format != LogFormat::kJson) return put(text);
  length_ += write_json_text(text_ + length_, kRoom - length_, text);
}

void LogLine::append(unsigned long number) {
  append(Decimal(number).text());
}

void LogLine::append(int number) {
  if (number < 0) append("-");
  append(number < 0 ? 0UL - static_cast<unsigned long>(number) : static_cast<unsigned long>(number));
}

const char* LogLine::finish() {
  const char* end = g_format == LogFormat::kJson ? "\"}\n" : "\n";
  const std::size_t size = std::strlen(end);
  std::memcpy(text_ + length_, end, size);
  finished_ = length_ + size;
  return text_;
}

const char* LogLine::message() {
  text_[length_] = '\0';
  return text_ + begin_;
}

void set_unspoken_sink(UnspokenSink sink) {
  g_unspoken = sink;
}

void open_log(const char* destination) {
  runtime::remember_standard_files();
  settle_speaker();
  g_path = destination;
  g_destination = Destination::kFile;
  if (*destination == '\0') g_destination = Destination::kTroubleOnStderr;
  if (std::strcmp(destination, "stderr") == 0) g_destination = Destination::kStderr;
  if (std::strcmp(destination, "off") == 0) g_destination = Destination::kNowhere;
}

void set_log_format(const char* name) {
  g_format = LogFormat::kPlain;
  if (std::strcmp(name, "timed") == 0) g_format = LogFormat::kTimed;
  if (std::strcmp(name, "json") == 0) g_format = LogFormat::kJson;
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

void write_on_stderr(LogLevel level, LogLine& line) {
  if (may_speak()) {
    const char* text = line.finish();
    return runtime::write_to_stderr(text, line.length());
  }
  if (level == LogLevel::kTrouble && g_unspoken != nullptr) g_unspoken(line.message());
}

}  // namespace

void log_write(LogLevel level, LogLine& line) {
  const int saved = errno;
  if (g_destination == Destination::kFile) {
    const char* text = line.finish();
    const int error = platform::append_to_file(g_path, text, line.length());
    if (error != 0) give_up_log(error);
  }
  if (g_destination != Destination::kFile && log_wants(level)) write_on_stderr(level, line);
  errno = saved;
}

}  // namespace memo::guest
