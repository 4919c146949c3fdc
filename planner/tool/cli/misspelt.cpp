#include "planner/tool/cli/misspelt.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "runtime/formats/edit_distance.h"

namespace memo::cli {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Returns true if the words of a COMMAND were given to the verb.
bool has_command(const CLI::App& verb) {
  return std::ranges::any_of(verb.get_options(), [](const CLI::Option* option) {
    return option->get_positional() && option->get_name() == "command" && option->count() > 0;
  });
}

std::string did_you_mean(const std::string& nearest) {
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

// Explains a word that is neither a verb nor an option of the command itself.
std::string explain_word(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-'))
    return fmt::format("{} is no option before the verb; memomalloc --help lists the verbs", word);
  const std::string nearest = nearest_word(word, verbs_of(app));
  return fmt::format("there is no verb {}{}", word,
                     nearest.empty() ? "; memomalloc --help lists them" : did_you_mean(nearest));
}

std::string explain_option(const CLI::App& verb, const std::string& word) {
  const std::string& name = verb.get_name();
  const std::string where = fmt::format("memomalloc {} --help lists what it takes", name);
  if (!word.starts_with('-'))
    return fmt::format("{} takes no further word, and got {}; {}", name, word, where);
  const std::string option = word.substr(0, word.find('='));
  const std::string nearest = nearest_word(option, options_of(verb));
  std::string text = fmt::format("{} is no option of {}{}", option, name, did_you_mean(nearest));
  if (has_command(verb))
    return text + fmt::format("{} it is COMMAND's, put -- before COMMAND: memomalloc {} -- COMMAND {}",
                              nearest.empty() ? "; if" : " If", name, option);
  return nearest.empty() ? text + "; " + where : text;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  std::string nearest;
  if (word.size() > runtime::kLongestCompared) return nearest;
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : words) {
    if (candidate.size() > runtime::kLongestCompared) continue;
    const std::size_t distance = runtime::edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string explain_refusal(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App* verb = chosen.empty() ? nullptr : chosen.front();
  const std::vector<std::string> words = verb == nullptr ? app.remaining() : verb->remaining();
  const bool unexpected = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (unexpected && !words.empty())
    return verb == nullptr ? explain_word(app, words.front()) : explain_option(*verb, words.front());
  if (verb == nullptr && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError))
    return "it needs a verb, such as run; memomalloc --help lists them";
  return fmt::format("{}; memomalloc {}{}--help says more", one_line(error.what()),
                     verb == nullptr ? "" : verb->get_name(), verb == nullptr ? "" : " ");
}

}  // namespace memo::cli
