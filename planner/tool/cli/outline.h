// The command line as data: every verb and option that the parser knows. Man pages and completions are made
// from it, so that they agree with the parser.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

struct OptionOutline {
  std::vector<std::string> names;  // "-o", "--output"; for a positional argument its one word
  std::string value;               // "" for a switch
  std::string help;
  std::vector<std::string> choices;  // the words that it takes, if they are known
  bool positional = false;
  bool takes_many = false;
};

struct VerbOutline {
  std::string name;  // "" for the command itself
  std::string summary;
  std::vector<OptionOutline> options;
};

// Returns the command itself, and then its verbs.
[[nodiscard]] std::vector<VerbOutline> outline_of(const CLI::App& app);

// Returns true if the value may be the name of a file or folder.
[[nodiscard]] bool takes_file(const OptionOutline& option);

// Returns true for the program to run, which stands after "--".
[[nodiscard]] bool is_command(const OptionOutline& option);

}  // namespace memo::cli
