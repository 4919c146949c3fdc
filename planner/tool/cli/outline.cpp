#include "planner/tool/cli/outline.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "planner/tool/cli/strategies.h"
#include "planner/tool/compare/allocators.h"

namespace memo::cli {
namespace {

bool is_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

// Returns the words to type in "software|hardware" and "PATH|stderr|off", which are in small letters. Words in
// capitals are placeholders.
std::vector<std::string> words_in(const std::string& value) {
  std::vector<std::string> words;
  std::istringstream text(value);
  for (std::string word; std::getline(text, word, '|');)
    if (is_word(word)) words.push_back(word);
  return words;
}

std::vector<std::string> choices_of(const OptionOutline& option) {
  std::vector<std::string> choices = words_in(option.value);
  const auto is = [&](const char* name) {
    return std::ranges::find(option.names, name) != option.names.end();
  };
  if (is("--strategy"))
    for (const planner::Strategy* strategy : every_strategy()) choices.emplace_back(strategy->name);
  if (is("--allocators"))
    for (const compare::Allocator& allocator : compare::all_allocators())
      choices.emplace_back(allocator.name);
  return choices;
}

OptionOutline outline_of(const CLI::Option& option) {
  OptionOutline outline;
  for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
  outline.positional = outline.names.empty();
  if (outline.positional) outline.names.push_back(option.get_name());
  outline.value = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  outline.help = option.get_description();
  outline.takes_many = outline.value.ends_with("...");
  outline.choices = choices_of(outline);
  return outline;
}

VerbOutline outline_of_verb(const CLI::App& app, std::string name) {
  VerbOutline verb{std::move(name), app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) verb.options.push_back(outline_of(*option));
  return verb;
}

}  // namespace

std::vector<VerbOutline> outline_of(const CLI::App& app) {
  std::vector<VerbOutline> verbs = {outline_of_verb(app, "")};
  for (const CLI::App* verb : app.get_subcommands(nullptr))
    verbs.push_back(outline_of_verb(*verb, verb->get_name()));
  return verbs;
}

bool takes_file(const OptionOutline& option) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"FILE", "FOLDER", "PATH", "TRACE", "PLAN", "STATS"},
      [&](const char* kind) { return option.value.find(kind) != std::string::npos; });
}

bool is_command(const OptionOutline& option) {
  return option.positional && option.value.starts_with("COMMAND");
}

}  // namespace memo::cli
