#include "planner/tool/progress/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memo::progress {
namespace {

constexpr std::size_t kWidestBar = 24;    // columns between the brackets
constexpr std::size_t kNarrowestBar = 8;  // a narrower one says less than the percent beside it

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Counts the characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

// Cuts the text after so many columns, between two characters.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i])) continue;
    if (characters++ == columns) return text.substr(0, i);
  }
  return text;
}

// Never says 100 % of work that still goes on.
int percent_of(double share) {
  return std::min(99, static_cast<int>(100 * share));
}

std::string left_text(const std::optional<TimeLeft>& left) {
  if (!left) return "";
  return fmt::format(", {} {} left", left->is_bound ? "at most" : "about", duration_text(left->seconds));
}

std::string drawn_bar(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  return fmt::format("[{}{}] ", std::string(full, '#'), std::string(width - full, '-'));
}

}  // namespace

std::string duration_text(Seconds time) {
  const auto seconds = static_cast<long>(std::lround(std::max(0.0, time.count())));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::string bar_text(const Figures& figures, std::size_t columns) {
  std::string text =
      fmt::format("{}{}  {}", duration_text(figures.elapsed), left_text(figures.left), figures.what);
  if (!figures.share) return cut(text, columns);
  text = fmt::format("{:>3} %  {}", percent_of(*figures.share), text);
  const std::size_t taken = width_of(text) + 3;  // the brackets and a space
  const std::size_t room = columns > taken ? columns - taken : 0;
  if (room >= kNarrowestBar) text = drawn_bar(*figures.share, std::min(room, kWidestBar)) + text;
  return cut(text, columns);
}

std::string sentence(const Figures& figures) {
  const std::string elapsed = duration_text(figures.elapsed);
  if (!figures.share) return fmt::format("{}, {} so far", figures.what, elapsed);
  return fmt::format("{}: {} % after {}{}", figures.what, percent_of(*figures.share), elapsed,
                     left_text(figures.left));
}

}  // namespace memo::progress
