#include "planner/problem/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "planner/problem/csv_columns.h"
#include "planner/problem/csv_fields.h"
#include "planner/problem/csv_rows.h"
#include "planner/problem/soundness.h"

namespace memo::planner {
namespace {

using csv::Column;
using csv::Field;

// Returns the rows at their header. Throws CsvError.
csv::Rows rows_of(std::string_view text, std::string_view file) {
  csv::Rows rows(text, file);
  if (!rows.next())
    rows.fail_at(std::max<std::size_t>(rows.line_number(), 1), 1,
                 "the file is empty; a header such as id,lower,upper,size is expected");
  return rows;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : rows_(rows_of(text, file)), columns_(rows_) {}

  Instance read() {
    instance_.header = rows_.line();
    if (columns_.has(Column::kOffset)) instance_.offset_column = columns_.place(Column::kOffset);
    while (rows_.next()) read_buffer();
    check_fixed_places();
    return std::move(instance_);
  }

 private:
  void read_buffer() {
    fields_.require_all();
    Buffer buffer;
    buffer.life = read_lifetime();
    buffer.size = fields_.number(Column::kSize, 1, kMostBytes);
    if (fields_.is_given(Column::kAlignment))
      buffer.alignment = fields_.number(Column::kAlignment, 1, kMostBytes);
    if (fields_.is_given(Column::kOffset)) buffer.fixed = read_fixed(buffer.alignment);
    add_to_total(buffer);
    instance_.ids.push_back(read_id());
    instance_.problem.buffers.push_back(buffer);
    instance_.rows.emplace_back(rows_.line());
    line_numbers_.push_back(rows_.line_number());
  }

  std::string read_id() {
    const Field& field = fields_.at(Column::kId);
    const std::string_view name = columns_.name(Column::kId);
    if (field.text.empty()) rows_.fail(field.column, fmt::format("{} is empty", name));
    const auto [before, is_new] = line_of_id_.try_emplace(std::string(field.text), rows_.line_number());
    if (!is_new)
      rows_.fail(field.column,
                 fmt::format("{} \"{}\" is taken by line {}", name, field.text, before->second));
    return before->first;
  }

  Lifetime read_lifetime() {
    const bool inclusive = columns_.has(Column::kEnd);
    const Column last = inclusive ? Column::kEnd : Column::kUpper;
    const Time lower = fields_.number(Column::kLower, -csv::kMostTime, csv::kMostTime);
    const Time upper = fields_.number(last, -csv::kMostTime, csv::kMostTime);
    if (inclusive ? lower > upper : lower >= upper)
      rows_.fail(
          fields_.at(last).column,
          fmt::format("{} is {}, {} {} {}; a buffer must live for at least one moment", columns_.name(last),
                      upper, inclusive ? "less than" : "not above", columns_.name(Column::kLower), lower));
    return {lower, inclusive ? upper + 1 : upper};
  }

  Offset read_fixed(Bytes alignment) {
    const Offset fixed = fields_.number(Column::kOffset, 0, kMostBytes);
    if (fixed % alignment != 0)
      rows_.fail(fields_.at(Column::kOffset).column,
                 fmt::format("{} is {}, no multiple of the alignment {}", columns_.name(Column::kOffset),
                             fixed, alignment));
    return fixed;
  }

  // Adds a buffer to the total. No sum here can overflow: each term is at most 2^62, and the total stays below
  // 2^62.
  void add_to_total(const Buffer& buffer) {
    for (const Bytes part : {buffer.size, buffer.alignment, buffer.fixed.value_or(0)}) {
      if (part >= kMostBytes - total_)
        rows_.fail(
            fields_.at(Column::kSize).column,
            "with this row the sizes, alignments and offsets add up to more than 4 EiB, which is out of "
            "range");
      total_ += part;
    }
  }

  void check_fixed_places() const {
    const auto collision = fixed_collision(instance_.problem);
    if (!collision) return;
    const auto [first, second] = std::minmax(collision->first, collision->second);
    rows_.fail_at(
        line_numbers_[second], 1,
        fmt::format("buffer \"{}\" is fixed on bytes that buffer \"{}\" of line {} has at the same time",
                    instance_.ids[second], instance_.ids[first], line_numbers_[first]));
  }

  csv::Rows rows_;
  const csv::Columns columns_;
  const csv::RowFields fields_{rows_, columns_};
  std::unordered_map<std::string, std::size_t> line_of_id_;
  std::vector<std::size_t> line_numbers_;
  Bytes total_ = 0;
  Instance instance_;
};

void append_row(std::string& out, const Instance& instance, std::string_view row, std::string_view offset) {
  if (!instance.offset_column) {
    out.append(row).append(",").append(offset).append("\n");
    return;
  }
  std::vector<Field> fields;
  csv::split(row, fields);
  const Field& old = fields[*instance.offset_column];
  const std::size_t begin = old.column - 1;
  out.append(row.substr(0, begin)).append(offset).append(row.substr(begin + old.text.size())).append("\n");
}

}  // namespace

Instance read_csv(std::string_view text, std::string_view file) {
  return Reader(text, file).read();
}

std::string write_csv(const Instance& instance, const Offsets& offsets) {
  std::string out;
  append_row(out, instance, instance.header, "offset");
  for (std::size_t i = 0; i < instance.rows.size(); ++i) {
    append_row(out, instance, instance.rows[i], std::to_string(offsets[i]));
  }
  return out;
}

}  // namespace memo::planner
