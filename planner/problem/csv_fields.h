// Reads the fields of one row by their columns.
#pragma once

#include <cstdint>

#include "planner/problem/csv_columns.h"
#include "planner/problem/problem.h"

namespace memo::planner::csv {

// The most and least time lie so far from the ends of their type that neither subtracting them nor the end of a last moment overflows.
inline constexpr Time kMostTime = (Time{1} << 62) - 1;

class RowFields {
 public:
  // Looks at the row at which `rows` is, each time it is asked.
  RowFields(const Rows& rows, const Columns& columns) : rows_(rows), columns_(columns) {}

  // Throws CsvError where the row has another number of fields than the header.
  void require_all() const;

  [[nodiscard]] const Field& at(Column column) const { return rows_.fields()[columns_.place(column)]; }
  [[nodiscard]] bool is_given(Column column) const {
    return columns_.has(column) && !at(column).text.empty();
  }
  // Returns a whole number in this range. Throws CsvError.
  [[nodiscard]] std::int64_t number(Column column, std::int64_t least, std::int64_t most) const;

 private:
  [[noreturn]] void fail_range(const Field& field, Column column) const;
  [[noreturn]] void fail_number(const Field& field, Column column) const;
  [[noreturn]] void fail_least(const Field& field, Column column, std::int64_t least) const;

  const Rows& rows_;
  const Columns& columns_;
};

}  // namespace memo::planner::csv
