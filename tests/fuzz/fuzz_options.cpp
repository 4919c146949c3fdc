// Whatever somebody writes into the variables of the library, or on the command line. The first byte says which of the two;
// the rest are values, one a line.
//
// Variables: what the library goes by afterwards is a value that its table allows, or the default. Patterns of symbols
// match what a plain recursive matcher does. Command line: it is refused with a sentence, or every option reads as what
// the table says it is. Nothing else is thrown, and no sanitizer has a word to say.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/options.h"
#include "preload/hooks/glob.h"
#include "preload/options/options.h"

namespace memo {
namespace {

using Lines = std::vector<std::string>;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

Lines lines_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find('\0')));
  return lines;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_one_of(std::string_view choices, std::string_view word) {
  std::istringstream in{std::string(choices)};
  for (std::string choice; std::getline(in, choice, '|');) {
    if (choice == word) return true;
  }
  return false;
}

void set_variables(const Lines& values) {
  for (std::size_t i = 0; i < std::size(kGuestOptions); ++i) {
    const bool log = static_cast<GuestOptionId>(i) == GuestOptionId::kLog;  // would write to any file
    setenv(kGuestOptions[i].variable, log ? "off" : i < values.size() ? values[i].c_str() : "", 1);
  }
}

void check_variables(const Lines& values) {
  set_variables(values);
  guest::read_options();
  for (std::size_t i = 0; i < std::size(kGuestOptions); ++i) {
    const GuestOption& row = kGuestOptions[i];
    const std::string_view got = guest::option_text(static_cast<GuestOptionId>(i));
    const std::string_view given = getenv(row.variable);
    require(got == given || got == row.fallback, "a value is the given one or the default");
    if (takes_choice(row)) require(is_one_of(row.value, got), "a choice is one of the choices");
    if (takes_number(row)) require(got == word_for_number(row) || is_number(got), "a number is one");
  }
  static_cast<void>(guest::option_mode());
}

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches(pattern.substr(1), text.substr(1));
}

// The plain matcher takes exponential time: short words only.
void check_patterns(const Lines& lines) {
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    const std::string pattern = lines[i].substr(0, 10);
    const std::string text = lines[i + 1].substr(0, 14);
    require(guest::glob_matches(pattern.data(), pattern.size(), text.c_str()) == matches(pattern, text),
            "both matchers agree");
  }
}

void read_all(const cli::Options& options, const cli::ToolOption& row) {
  const std::string_view names = row.names;
  const std::size_t dashes = names.rfind("--");
  const std::string_view name = dashes == std::string_view::npos ? names : names.substr(dashes + 2);
  static_cast<void>(options.given(name));
  static_cast<void>(options.list(name));
  if (row.value == "N") require(options.number(name) >= 0, "a number is not negative");
  if (row.value == "DURATION") {
    const double seconds = options.seconds(name);
    require(std::isfinite(seconds) && seconds >= 0, "a duration is finite and not negative");
  }
}

void check_command_line(const Lines& lines) {
  if (lines.empty()) return;
  for (const std::string_view verb : {"pack", "plan", "profile", "serve"}) {
    CLI::App app;
    cli::Options options(app, verb);
    cli::GuestKnobs knobs(app, {GuestOptionId::kPlan, GuestOptionId::kLanes, GuestOptionId::kPassSymbols,
                                GuestOptionId::kFollow, GuestOptionId::kKeep});
    try {
      app.parse(Lines(lines.rbegin(), lines.rend()));
      for (const auto& [name, value] : knobs.environment()) require(!name.empty(), "a variable has a name");
      for (const cli::ToolOption& row : cli::kToolOptions) {
        if (row.verb == verb) read_all(options, row);
      }
    } catch (const CLI::ParseError&) {
    } catch (const cli::Failure& failure) {
      require(!failure.message.empty(), "a refusal says why");
    }
  }
}

}  // namespace
}  // namespace memo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const memo::Lines lines = memo::lines_of({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (data[0] % 2 == 0) {
    memo::check_variables(lines);
    memo::check_patterns(lines);
  } else {
    memo::check_command_line(lines);
  }
  return 0;
}
