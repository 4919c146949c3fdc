// Tells from a header row which column of an instance is where.
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "planner/problem/csv_rows.h"

namespace memo::planner::csv {

enum class Column { kId, kLower, kUpper, kEnd, kSize, kAlignment, kOffset };
inline constexpr std::size_t kColumns = 7;

class Columns {
 public:
  // Reads the row at which `header` is. Throws CsvError where a column is missing or comes twice.
  explicit Columns(const Rows& header);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] bool has(Column column) const { return place(column) != kAbsent; }
  [[nodiscard]] std::size_t place(Column column) const { return places_[static_cast<std::size_t>(column)]; }
  // Returns the column's name as the file spells it.
  [[nodiscard]] std::string_view name(Column column) const {
    return names_[static_cast<std::size_t>(column)];
  }

 private:
  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

  void declare(const Rows& header, std::size_t position);
  [[nodiscard]] bool says_again(Column column) const;

  std::size_t count_;
  std::array<std::size_t, kColumns> places_;
  std::array<std::string_view, kColumns> names_;
};

}  // namespace memo::planner::csv
