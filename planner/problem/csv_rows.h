// Splits CSV text into rows, and says where something in it is wrong.
#pragma once

#include <string_view>
#include <vector>

namespace memo::planner::csv {

struct Field {
  std::string_view text;
  std::size_t column = 0;  // of the first character in the line, from 1
};

// Splits a line at its commas. Fields have no blanks at their ends.
void split(std::string_view line, std::vector<Field>& fields);

class Rows {
 public:
  // `file` names the text in errors. Both must outlive the rows.
  Rows(std::string_view text, std::string_view file);

  // Moves to the next line that is not empty and splits it. Returns false at the end.
  bool next();

  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::size_t line_number() const { return line_number_; }
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

  // Throw CsvError: for this line, and for any.
  [[noreturn]] void fail(std::size_t column, std::string_view sentence) const;
  [[noreturn]] void fail_at(std::size_t line, std::size_t column, std::string_view sentence) const;

 private:
  std::string_view rest_;
  std::string_view file_;
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::vector<Field> fields_;
};

}  // namespace memo::planner::csv
