// Instances as CSV: one header row in any column order, one buffer a row.
//
//   id,lower,upper,size            required; lower inclusive, upper exclusive
//   alignment, offset              optional; may be left empty in a row
//   begin, start -> lower          other names; a column named `end` replaces `upper` and is inclusive
//   buffer, buffer_id -> id
//
// Other columns are carried along. Empty lines are skipped, CRLF and a byte order mark accepted; there is no
// quoting.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::planner {

// A problem together with the text it was read from, so that it can be written again with its offsets.
struct Instance {
  Problem problem;
  std::vector<std::string> ids;
  std::string header;
  std::vector<std::string> rows;             // rows[i] is where buffers[i] came from
  std::optional<std::size_t> offset_column;  // in the header
};

// What is wrong and where: "file:line:column: sentence", line and column counted from 1.
class CsvError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `file` names the text in errors. Throws CsvError.
[[nodiscard]] Instance read_csv(std::string_view text, std::string_view file);

// The rows as they were read, with the solution as the column `offset`.
[[nodiscard]] std::string write_csv(const Instance& instance, const Offsets& offsets);

}  // namespace memo::planner
