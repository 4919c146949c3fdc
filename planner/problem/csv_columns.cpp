#include "planner/problem/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace memo::planner::csv {
namespace {

struct ColumnName {
  std::string_view name;
  Column column;
};

constexpr ColumnName kNames[] = {
    {"id", Column::kId},         {"buffer", Column::kId},
    {"buffer_id", Column::kId},  {"lower", Column::kLower},
    {"begin", Column::kLower},   {"start", Column::kLower},
    {"upper", Column::kUpper},   {"end", Column::kEnd},
    {"size", Column::kSize},     {"alignment", Column::kAlignment},
    {"offset", Column::kOffset},
};

std::string_view usual_name(Column column) {
  return std::ranges::find(kNames, column, &ColumnName::column)->name;
}

[[noreturn]] void fail_missing(const Rows& header, std::string_view name) {
  header.fail(1, fmt::format("the header has no column {}; required are id, lower, upper and size", name));
}

}  // namespace

Columns::Columns(const Rows& header) : count_(header.fields().size()) {
  places_.fill(kAbsent);
  for (std::size_t i = 0; i < count_; ++i) declare(header, i);
  for (const Column required : {Column::kId, Column::kLower, Column::kSize})
    if (!has(required)) fail_missing(header, usual_name(required));
  if (!has(Column::kUpper) && !has(Column::kEnd)) fail_missing(header, usual_name(Column::kUpper));
}

// Unknown columns are kept as they are.
void Columns::declare(const Rows& header, std::size_t position) {
  const Field& field = header.fields()[position];
  const auto* known = std::ranges::find(kNames, field.text, &ColumnName::name);
  if (known == std::end(kNames)) return;
  if (says_again(known->column))
    header.fail(field.column,
                fmt::format("the column {} says again what an earlier column says", field.text));
  places_[static_cast<std::size_t>(known->column)] = position;
  names_[static_cast<std::size_t>(known->column)] = known->name;
}

bool Columns::says_again(Column column) const {
  return has(column) || (column == Column::kEnd && has(Column::kUpper)) ||
         (column == Column::kUpper && has(Column::kEnd));
}

}  // namespace memo::planner::csv
