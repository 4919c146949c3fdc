// The command line as data: every verb and option that the parser knows. Man pages and completions are made from it, so
// that they cannot say anything else than the parser does.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace memo::cli {

struct OptionOutline {
  std::vector<std::string> names;  // "-o", "--output"; the one word of a positional argument
  std::string value;               // "" for a switch
  std::string help;
  std::vector<std::string> choices;  // words it takes, where they are known
  bool positional = false;
  bool takes_many = false;
};

struct VerbOutline {
  std::string name;  // "" for the command itself
  std::string summary;
  std::vector<OptionOutline> options;
};

// The command itself comes first.
[[nodiscard]] std::vector<VerbOutline> outline_of(const CLI::App& app);

// A value that is the name of a file or folder, among other things perhaps.
[[nodiscard]] bool takes_file(const OptionOutline& option);

// The program to run, behind "--".
[[nodiscard]] bool is_command(const OptionOutline& option);

}  // namespace memo::cli
