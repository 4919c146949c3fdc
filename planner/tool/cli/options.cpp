#include "planner/tool/cli/options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <stdexcept>

#include "planner/tool/cli/command.h"

namespace memo::cli {
namespace {

// Returns "output" for "-o,--output", and "traces" for "traces".
std::string_view long_name(std::string_view names) {
  const std::size_t dashes = names.rfind("--");
  return dashes == std::string_view::npos ? names : names.substr(dashes + 2);
}

std::string help_text(const ToolOption& row) {
  if (row.value.empty() || row.fallback.empty() || row.fallback == kRequired) return std::string(row.help);
  return fmt::format("{} [{}]", row.help, row.fallback);
}

bool takes_many(const ToolOption& row) {
  return row.value.ends_with("...");
}

// Declares how many values the option takes. An option with dashes takes one each time that it is given, a positional
// one as many as there are.
void declare_values(const ToolOption& row, CLI::Option& option) {
  const bool is_list = takes_many(row) && !row.names.starts_with('-');
  option.type_name(std::string(row.value))->expected(1, is_list ? 1 << 20 : 1)->allow_extra_args(is_list);
  if (takes_many(row) && !is_list) option.multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

[[noreturn]] void refuse_without(const ToolOption& row) {
  const std::string option = row.names.starts_with('-') ? fmt::format("--{} ", long_name(row.names)) : "";
  throw Failure{kUsage, fmt::format("{} needs {}{}", row.verb, option, row.value)};
}

}  // namespace

Options::Options(CLI::App& app, std::string_view verb) : verb_(verb) {
  for (const ToolOption& row : kToolOptions) {
    if (row.verb != verb) continue;
    Entry& entry = entries_[std::string(long_name(row.names))];
    entry.row = &row;
    CLI::Option* option = row.value.empty()
                              ? app.add_flag(std::string(row.names), entry.on, help_text(row))
                              : app.add_option(std::string(row.names), entry.values, help_text(row));
    if (!row.value.empty()) declare_values(row, *option);
    entry.option = option;
  }
}

const Options::Entry& Options::entry(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    throw std::logic_error(
        fmt::format("the verb {} reads an option {} that its table does not have", verb_, name));
  }
  return found->second;
}

bool Options::given(std::string_view name) const {
  return entry(name).option->count() > 0;
}

bool Options::flag(std::string_view name) const {
  return entry(name).on;
}

std::string Options::text(std::string_view name) const {
  const Entry& found = entry(name);
  if (!found.values.empty()) return found.values.back();
  if (found.row->fallback == kRequired) refuse_without(*found.row);
  return std::string(found.row->fallback);
}

std::vector<std::string> Options::list(std::string_view name) const {
  const Entry& found = entry(name);
  if (found.values.empty() && found.row->fallback == kRequired) refuse_without(*found.row);
  return found.values;
}

std::int64_t Options::number(std::string_view name) const {
  const std::string value = text(name);
  std::int64_t parsed = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, parsed);
  if (error == std::errc{} && stopped == end && parsed >= 0) return parsed;
  throw Failure{kUsage, fmt::format("--{} is \"{}\"; give a whole number, 0 or more", name, value)};
}

double Options::percent(std::string_view name) const {
  const std::string value = text(name);
  double parsed = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, parsed);
  if (error == std::errc{} && stopped == end && parsed >= 0 && parsed <= 100) return parsed;
  throw Failure{kUsage, fmt::format("--{} is \"{}\"; give a number of percent, 0 to 100", name, value)};
}

double Options::seconds(std::string_view name) const {
  const std::string value = text(name);
  if (const std::optional<double> parsed = parse_duration(value)) return *parsed;
  throw Failure{kUsage, fmt::format("--{} is \"{}\"; give a duration such as 500ms, 5s or 2m", name, value)};
}

std::optional<double> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  double value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value >= 0) || value > 1e9) return std::nullopt;
  const std::string_view unit(stopped, static_cast<std::size_t>(text.data() + text.size() - stopped));
  for (const Unit& known : kUnits) {
    if (known.name == unit) return value * known.seconds;
  }
  return std::nullopt;
}

}  // namespace memo::cli
