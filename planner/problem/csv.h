// Reads and writes instances as CSV: one header row with the columns in any order, then one row for each
// buffer.
//
//   id,lower,upper,size            required; lower inclusive, upper exclusive
//   alignment, offset              optional; may be left empty in a row
//   begin, start -> lower          other names; a column named `end` replaces `upper` and is inclusive
//   buffer, buffer_id -> id
//
// Other columns are kept. Empty lines are skipped; CRLF and a byte order mark are accepted; there is no
// quoting.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// A problem and the text that it was read from, so that write_csv() can write the same text with offsets.
struct Instance {
  Problem problem;
  std::vector<std::string> ids;
  std::string header;
  std::vector<std::string> rows;             // rows[i] is the row of buffers[i]
  std::optional<std::size_t> offset_column;  // index in the header
};

// Tells what is wrong and where: "file:line:column: sentence", line and column counted from 1.
class CsvError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads an instance. `file` names the text in errors. Throws CsvError.
[[nodiscard]] Instance read_csv(std::string_view text, std::string_view file);

// Returns the rows as they were read, with the solution in the column `offset`.
[[nodiscard]] std::string write_csv(const Instance& instance, const Offsets& offsets);

}  // namespace memo::planner
