// The options of one verb, declared from the table and read by their long names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/cli/option_table.h"
#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

// Reading a name that has no row for the verb is an error of the command's code, and throws std::logic_error. A
// value that is no number or no duration throws Failure(kUsage) with the cure.
class Options {
 public:
  // Declares all rows of the verb. `app` must outlive this object, and this object must not move afterwards.
  Options(CLI::App& app, std::string_view verb);
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  [[nodiscard]] bool given(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  // Returns the value that was given, or the table's default.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  [[nodiscard]] std::int64_t number(std::string_view name) const;  // whole, not negative
  [[nodiscard]] double percent(std::string_view name) const;       // 0 to 100
  [[nodiscard]] double seconds(std::string_view name) const;

 private:
  struct Entry {
    const ToolOption* row = nullptr;
    const CLI::Option* option = nullptr;
    bool on = false;
    std::vector<std::string> values;
  };
  [[nodiscard]] const Entry& entry(std::string_view name) const;

  std::string_view verb_;
  std::map<std::string, Entry, std::less<>> entries_;
};

// Returns the seconds in "500ms", "5s", "2m", "1h", or a bare number of seconds. Returns nothing if the text is
// none of these.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

}  // namespace memo::cli
