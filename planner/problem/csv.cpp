#include "planner/problem/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "planner/problem/soundness.h"

namespace memo::planner {
namespace {

enum class Column { kId, kLower, kUpper, kEnd, kSize, kAlignment, kOffset };
constexpr std::size_t kColumns = 7;

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

struct Field {
  std::string_view text;
  std::size_t column = 0;  // of the first character in the line, from 1
};

// Times keep this distance from the ends of their type, so that subtracting lifetimes cannot overflow.
constexpr Time kMostTime = Time{1} << 62;

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

Field trimmed(std::string_view line, std::size_t begin, std::size_t end) {
  while (begin < end && is_blank(line[begin])) ++begin;
  while (end > begin && is_blank(line[end - 1])) --end;
  return {line.substr(begin, end - begin), begin + 1};
}

void split(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  std::size_t begin = 0;
  for (std::size_t end = 0; end != line.size(); begin = end + 1) {
    end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line, begin, end));
    if (end == line.size()) break;
  }
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

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : rest_(text), file_(file) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }

  Instance read() {
    if (!next_row()) fail_empty();
    read_header();
    while (next_row()) read_buffer();
    check_fixed_places();
    return std::move(instance_);
  }

 private:
  // ---- errors, one function for each way to fail ----

  [[noreturn]] void fail(std::size_t column, std::string_view sentence) const {
    fail_at(line_number_, column, sentence);
  }
  [[noreturn]] void fail_at(std::size_t line, std::size_t column, std::string_view sentence) const {
    throw CsvError(fmt::format("{}:{}:{}: {}", file_, line, column, sentence));
  }
  [[noreturn]] void fail_empty() const {
    fail_at(std::max<std::size_t>(line_number_, 1), 1,
            "the file is empty; a header such as id,lower,upper,size is expected");
  }
  [[noreturn]] void fail_missing(std::string_view name) const {
    fail(1, fmt::format("the header has no column {}; required are id, lower, upper and size", name));
  }
  [[noreturn]] void fail_field_count() const {
    const std::size_t at = fields_.size() > width_ ? fields_[width_].column : line_.size() + 1;
    fail(at, fmt::format("the row has {} field{}; the header has {}", fields_.size(),
                         fields_.size() == 1 ? "" : "s", width_));
  }
  [[noreturn]] void fail_range(const Field& field, Column column) const {
    fail(field.column, fmt::format("{} is {}, which is out of range", name(column), field.text));
  }
  [[noreturn]] void fail_number(const Field& field, Column column) const {
    fail(field.column, field.text.empty()
                           ? fmt::format("{} is empty; a whole number is expected", name(column))
                           : fmt::format("{} is \"{}\", not a whole number", name(column), field.text));
  }
  [[noreturn]] void fail_least(const Field& field, Column column, Bytes least) const {
    fail(field.column, fmt::format("{} is {}; it must be at least {}", name(column), field.text, least));
  }

  // ---- rows ----

  // Moves to the next line that is not empty and splits it. Returns false at the end.
  bool next_row() {
    while (!rest_.empty()) {
      line_ = take_line(rest_);
      ++line_number_;
      if (is_empty_line(line_)) continue;
      if (const std::size_t quote = line_.find('"'); quote != std::string_view::npos) {
        fail(quote + 1, "a double quote; quoted fields are not part of the format");
      }
      split(line_, fields_);
      return true;
    }
    return false;
  }

  void read_header() {
    width_ = fields_.size();
    for (std::size_t i = 0; i < width_; ++i) declare_column(i);
    for (const Column required : {Column::kId, Column::kLower, Column::kSize}) {
      if (!has(required)) fail_missing(kNames[first_name(required)].name);
    }
    if (!has(Column::kUpper) && !has(Column::kEnd)) fail_missing("upper");
    instance_.header = line_;
    if (has(Column::kOffset)) instance_.offset_column = place(Column::kOffset);
  }

  void declare_column(std::size_t position) {
    const Field& field = fields_[position];
    for (const ColumnName& known : kNames) {
      if (known.name != field.text) continue;
      if (has(known.column) || (known.column == Column::kEnd && has(Column::kUpper)) ||
          (known.column == Column::kUpper && has(Column::kEnd))) {
        fail(field.column, fmt::format("the column {} says again what an earlier column says", field.text));
      }
      place(known.column) = position;
      header_names_[static_cast<std::size_t>(known.column)] = known.name;
    }
  }

  void read_buffer() {
    if (fields_.size() != width_) fail_field_count();
    Buffer buffer;
    buffer.life = read_lifetime();
    buffer.size = read_number(Column::kSize, 1, kMostBytes);
    if (is_given(Column::kAlignment)) buffer.alignment = read_number(Column::kAlignment, 1, kMostBytes);
    if (is_given(Column::kOffset)) buffer.fixed = read_fixed(buffer.alignment);
    add_to_total(buffer);
    instance_.ids.push_back(read_id());
    instance_.problem.buffers.push_back(buffer);
    instance_.rows.emplace_back(line_);
    line_numbers_.push_back(line_number_);
  }

  std::string read_id() {
    const Field& field = at(Column::kId);
    if (field.text.empty()) fail(field.column, fmt::format("{} is empty", name(Column::kId)));
    const auto [before, is_new] = line_of_id_.try_emplace(std::string(field.text), line_number_);
    if (!is_new) {
      fail(field.column,
           fmt::format("{} \"{}\" is taken by line {}", name(Column::kId), field.text, before->second));
    }
    return before->first;
  }

  Lifetime read_lifetime() {
    const bool inclusive = has(Column::kEnd);
    const Column last = inclusive ? Column::kEnd : Column::kUpper;
    const Time lower = read_number(Column::kLower, -kMostTime, kMostTime);
    const Time upper = read_number(last, -kMostTime, kMostTime);
    if (inclusive ? lower > upper : lower >= upper) {
      fail(at(last).column,
           fmt::format("{} is {}, {} {} {}; a buffer must live for at least one moment", name(last), upper,
                       inclusive ? "less than" : "not above", name(Column::kLower), lower));
    }
    return {lower, inclusive ? upper + 1 : upper};
  }

  Offset read_fixed(Bytes alignment) {
    const Offset fixed = read_number(Column::kOffset, 0, kMostBytes);
    if (fixed % alignment != 0) {
      fail(at(Column::kOffset).column,
           fmt::format("{} is {}, no multiple of the alignment {}", name(Column::kOffset), fixed, alignment));
    }
    return fixed;
  }

  std::int64_t read_number(Column column, std::int64_t least, std::int64_t most) {
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

  // Adds a buffer to the total. No sum here can overflow: each term is at most 2^62, and the total stays below
  // 2^62.
  void add_to_total(const Buffer& buffer) {
    for (const Bytes part : {buffer.size, buffer.alignment, buffer.fixed.value_or(0)}) {
      if (part >= kMostBytes - total_) {
        fail(at(Column::kSize).column,
             "with this row the sizes, alignments and offsets add up to more than 4 EiB, which is out of "
             "range");
      }
      total_ += part;
    }
  }

  void check_fixed_places() const {
    const auto collision = fixed_collision(instance_.problem);
    if (!collision) return;
    const auto [first, second] = std::minmax(collision->first, collision->second);
    fail_at(line_numbers_[second], 1,
            fmt::format("buffer \"{}\" is fixed on bytes that buffer \"{}\" of line {} has at the same time",
                        instance_.ids[second], instance_.ids[first], line_numbers_[first]));
  }

  // ---- columns ----

  [[nodiscard]] std::size_t& place(Column column) { return places_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] std::size_t place(Column column) const { return places_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] bool has(Column column) const { return place(column) != kAbsent; }
  [[nodiscard]] const Field& at(Column column) const { return fields_[place(column)]; }
  [[nodiscard]] bool is_given(Column column) const { return has(column) && !at(column).text.empty(); }
  // Returns the column's name as the file spells it.
  [[nodiscard]] std::string_view name(Column column) const {
    return header_names_[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] static std::size_t first_name(Column column) {
    std::size_t i = 0;
    while (kNames[i].column != column) ++i;
    return i;
  }

  static constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

  std::string_view rest_;
  std::string_view file_;
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::vector<Field> fields_;
  std::size_t width_ = 0;
  std::array<std::size_t, kColumns> places_{kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, kAbsent, kAbsent};
  std::array<std::string_view, kColumns> header_names_;
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
  split(row, fields);
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
