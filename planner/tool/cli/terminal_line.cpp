#include "planner/tool/cli/terminal_line.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace memo::cli {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr std::size_t kUsualColumns = 80;
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> g_is_drawn = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler uses it");

// A terminal that is gone cannot be told anything, so a failure changes nothing.
void write_to_terminal(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

bool is_handled_by(int number, void (*handler)(int)) {
  struct sigaction current {};
  return sigaction(number, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) == 0 &&
         current.sa_handler == handler;
}

}  // namespace

std::mutex& terminal_mutex() {
  static std::mutex mutex;
  return mutex;
}

bool can_draw_line() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

void draw_line(std::string_view text) {
  g_is_drawn = true;
  write_to_terminal(std::string(kEraseLine).append(text));
}

void erase_line() {
  if (g_is_drawn.exchange(false)) write_to_terminal(kEraseLine);
}

void end_by_signal(int number) {
  erase_line();
  signal(number, SIG_DFL);
  raise(number);
}

LineEnding::LineEnding() {
  for (const int number : kEnding)
    if (is_handled_by(number, SIG_DFL)) signal(number, end_by_signal);
}

LineEnding::~LineEnding() {
  for (const int number : kEnding)
    if (is_handled_by(number, end_by_signal)) signal(number, SIG_DFL);
}

}  // namespace memo::cli
