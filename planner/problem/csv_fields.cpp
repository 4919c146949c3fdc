#include "planner/problem/csv_fields.h"

#include <fmt/format.h>

#include <charconv>

namespace memo::planner::csv {

void RowFields::require_all() const {
  const std::vector<Field>& fields = rows_.fields();
  const std::size_t count = columns_.count();
  if (fields.size() == count) return;
  const std::size_t at = fields.size() > count ? fields[count].column : rows_.line().size() + 1;
  rows_.fail(at, fmt::format("the row has {} field{}; the header has {}", fields.size(),
                             fields.size() == 1 ? "" : "s", count));
}

std::int64_t RowFields::number(Column column, std::int64_t least, std::int64_t most) const {
  const Field& field = at(column);
  std::int64_t value = 0;
  const char* end = field.text.data() + field.text.size();
  const auto [stopped, error] = std::from_chars(field.text.data(), end, value);
  if (error == std::errc::result_out_of_range) fail_range(field, column);
  if (error != std::errc{} || stopped != end) fail_number(field, column);
  if (value > most || value < -kMostTime) fail_range(field, column);
  if (value < least) fail_least(field, column, least);
  return value;
}

void RowFields::fail_range(const Field& field, Column column) const {
  rows_.fail(field.column, fmt::format("{} is {}, which is out of range", columns_.name(column), field.text));
}

void RowFields::fail_number(const Field& field, Column column) const {
  const std::string_view name = columns_.name(column);
  rows_.fail(field.column, field.text.empty()
                               ? fmt::format("{} is empty; a whole number is expected", name)
                               : fmt::format("{} is \"{}\", not a whole number", name, field.text));
}

void RowFields::fail_least(const Field& field, Column column, std::int64_t least) const {
  rows_.fail(field.column,
             fmt::format("{} is {}; it must be at least {}", columns_.name(column), field.text, least));
}

}  // namespace memo::planner::csv
