#include "planner/problem/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/problem/csv.h"

namespace memo::planner::csv {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

Field trimmed(std::string_view line, std::size_t begin, std::size_t end) {
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  return {line.substr(begin, end - begin), begin + 1};
}

// Removes the next line from the text and returns it without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_empty_line(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

void split(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  std::size_t begin = 0;
  for (std::size_t end = 0; end != line.size(); begin = end + 1) {
    end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line, begin, end));
    if (end == line.size()) break;
  }
}

Rows::Rows(std::string_view text, std::string_view file) : rest_(text), file_(file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool Rows::next() {
  while (!rest_.empty()) {
    line_ = take_line(rest_);
    ++line_number_;
    if (is_empty_line(line_)) continue;
    if (const std::size_t quote = line_.find('"'); quote != std::string_view::npos)
      fail(quote + 1, "a double quote; quoted fields are not part of the format");
    split(line_, fields_);
    return true;
  }
  return false;
}

void Rows::fail(std::size_t column, std::string_view sentence) const {
  fail_at(line_number_, column, sentence);
}

void Rows::fail_at(std::size_t line, std::size_t column, std::string_view sentence) const {
  throw CsvError(fmt::format("{}:{}:{}: {}", file_, line, column, sentence));
}

}  // namespace memo::planner::csv
