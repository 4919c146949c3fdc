// The log of the library: whole lines, one write for each, in a program that did not ask for them. Trouble
// goes to stderr unless MEMOMALLOC_LOG sends it elsewhere; notes are written only where MEMOMALLOC_LOG asks
// for a log.
//
//   log_trouble("cannot read the plan \"", path, "\": ", platform::describe_error(error));
//
// Logging allocates nothing and keeps errno.
#pragma once

#include <cstddef>

namespace memo::guest {

// A line that is being written. Text that does not fit is cut off.
class LogLine {
 public:
  LogLine();
  void append(const char* text);
  void append(unsigned long number);
  void append(int number);
  const char* finish();
  std::size_t length() const { return length_; }

 private:
  static constexpr std::size_t kCapacity = 1024;
  char text_[kCapacity];
  std::size_t length_ = 0;
};

enum class LogLevel { kTrouble, kNote };

// Sets where the lines go: a path, "stderr", "off", or "" for trouble on stderr only. `destination` must stay
// readable.
void open_log(const char* destination);

bool log_wants(LogLevel level);
void log_write(LogLevel level, LogLine& line);

template <typename... Parts>
void log_line(LogLevel level, Parts... parts) {
  if (!log_wants(level)) return;
  LogLine line;
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
