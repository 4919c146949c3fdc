// The one line at the bottom of a terminal that is drawn again and again. Whatever else is written to stderr removes it
// first.
#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>

namespace memo::cli {

// Held while something is written to stderr from several threads.
[[nodiscard]] std::mutex& terminal_mutex();

// Returns true if stderr is a terminal on which a line can be drawn anew.
[[nodiscard]] bool can_draw_line();

// Returns the width of the terminal, or 80 where it does not say.
[[nodiscard]] std::size_t terminal_columns();

// Draws the line in place of the one before. Hold terminal_mutex().
void draw_line(std::string_view text);

// Removes the line if there is one. A signal handler may call it.
void erase_line();

// Removes the line, and ends the process as the signal does where nothing handles it. For signal handlers.
void end_by_signal(int number);

// During its lifetime, a signal that ends the process removes the line first. Signals that something handles already are
// left to that.
class LineEnding {
 public:
  LineEnding();
  ~LineEnding();
  LineEnding(const LineEnding&) = delete;
  LineEnding& operator=(const LineEnding&) = delete;
};

}  // namespace memo::cli
