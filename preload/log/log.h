// The log of the library: whole lines, one write for each, in a program that did not ask for them. Trouble
// goes to stderr unless MEMOMALLOC_LOG sends it elsewhere; notes are written only where MEMOMALLOC_LOG asks
// for a log. stderr gets lines of one process alone (speaker.h); the trouble of the others goes to the sink that is set.
// MEMOMALLOC_LOG_FORMAT says how they look.
//
//   log_trouble("cannot read the plan \"", path, "\": ", platform::describe_error(error));
//
// Logging allocates nothing and keeps errno.
#pragma once

#include <cstddef>

namespace memo::guest {

enum class LogLevel { kTrouble, kNote };

// How a line looks: with the process alone, with time and level as well, or as a JSON object.
enum class LogFormat { kPlain, kTimed, kJson };

// A line that is being written, in the format that is set. Text that does not fit is cut off.
class LogLine {
 public:
  explicit LogLine(LogLevel level);
  void append(const char* text);
  void append(unsigned long number);
  void append(int number);
  // Returns the whole line, which has length() bytes.
  const char* finish();
  // Returns what was appended, without what stands before it and after it.
  const char* message();
  std::size_t length() const { return finished_; }

 private:
  void begin_plain();
  void begin_timed(LogLevel level);
  void begin_json(LogLevel level);
  void put(const char* text);

  static constexpr std::size_t kCapacity = 1024;
  static constexpr std::size_t kRoom = kCapacity - 3;  // leaves room for what finish() writes
  char text_[kCapacity];
  std::size_t begin_ = 0;  // of the message
  std::size_t length_ = 0;
  std::size_t finished_ = 0;
};

// Sets where the lines go: a path, "stderr", "off", or "" for trouble on stderr only. `destination` must stay
// readable.
void open_log(const char* destination);

// Sets how later lines look, from the words of MEMOMALLOC_LOG_FORMAT.
void set_log_format(const char* name);

// Sets who gets the trouble of a process that may not write to stderr, as a message without process and time.
using UnspokenSink = void (*)(const char* message);
void set_unspoken_sink(UnspokenSink sink);

bool log_wants(LogLevel level);
void log_write(LogLevel level, LogLine& line);

template <typename... Parts>
void log_line(LogLevel level, Parts... parts) {
  if (!log_wants(level)) return;
  LogLine line(level);
  (line.append(parts), ...);
  log_write(level, line);
}

// Logs that something does not work as asked; the program runs on without it.
template <typename... Parts>
[[gnu::cold, gnu::noinline]] void log_trouble(Parts... parts) {
  log_line(LogLevel::kTrouble, parts...);
}

// Logs what may interest a curious operator.
template <typename... Parts>
[[gnu::cold, gnu::noinline]] void log_note(Parts... parts) {
  log_line(LogLevel::kNote, parts...);
}

}  // namespace memo::guest
