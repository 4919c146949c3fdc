#include "planner/tool/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memo::cli {
namespace {

using Words = std::vector<std::string>;

Words verb_names(const std::vector<VerbOutline>& all) {
  Words names;
  for (const VerbOutline& verb : all)
    if (!verb.name.empty()) names.push_back(verb.name);
  return names;
}

// ---- bash: two tables, each in a `case`, and a little code around them that needs no other package

Words option_names(const VerbOutline& verb) {
  Words names;
  for (const OptionOutline& option : verb.options)
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string bash_options(const std::vector<VerbOutline>& all) {
  std::string text;
  for (const VerbOutline& verb : all)
    text += fmt::format("    '{}') options='{}' ;;\n", verb.name, fmt::join(option_names(verb), " "));
  return text;
}

std::string bash_values(const VerbOutline& verb) {
  std::string text;
  for (const OptionOutline& option : verb.options) {
    if (option.positional || option.value.empty()) continue;
    Words patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("{},{}", verb.name, name));
    text += fmt::format("    {}) values='{}' files={} takes=1 ;;\n", fmt::join(patterns, "|"),
                        fmt::join(option.choices, " "), takes_file(option) ? 1 : 0);
  }
  return text;
}

std::string bash_positionals(const std::vector<VerbOutline>& all) {
  Words with_files;
  for (const VerbOutline& verb : all)
    if (std::ranges::any_of(verb.options, [](const OptionOutline& option) {
          return option.positional && takes_file(option);
        }))
      with_files.push_back(verb.name);
  return fmt::format("{}", fmt::join(with_files, "|"));
}

// Makes a row for each verb whose first word is one of a few.
std::string bash_choices(const std::vector<VerbOutline>& all) {
  std::string text;
  for (const VerbOutline& verb : all) {
    const auto found = std::ranges::find_if(verb.options, [](const OptionOutline& option) {
      return option.positional && !option.choices.empty();
    });
    if (found != verb.options.end())
      text += fmt::format("    {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\") ;;\n", verb.name,
                          fmt::join(found->choices, " "));
  }
  return text;
}

constexpr const char* kBash = R"(# bash completion for memomalloc, made from its own options
_memomalloc() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb= i
  local options= values= files=0 takes=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
    --)
      if declare -F _command_offset >/dev/null; then
        _command_offset $((i + 1))
      else
        mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
      fi
      return
      ;;
    -*) ;;
    *) [[ -n $verb ]] || verb=${{COMP_WORDS[i]}} ;;
    esac
  done
  [[ $current != = ]] || current=
  [[ $before != = ]] || before=${{COMP_WORDS[COMP_CWORD-2]}}
  case $verb,$before in
{}  esac
  if ((takes)); then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    ((!files)) || mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  case $verb in
{}  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  elif [[ -z $verb ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
  else
    case $verb in
{}    {}) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
  fi
}}
complete -o filenames -F _memomalloc memomalloc
)";

// ---- zsh: one _arguments for each verb

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Escapes the characters that have a meaning in a description.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionOutline& option) {
  if (!option.choices.empty() && !takes_file(option))
    return fmt::format("({})", fmt::join(option.choices, " "));
  if (!option.choices.empty())
    return fmt::format("{{_alternative 'words:word:({})' 'files:file:_files'}}",
                       fmt::join(option.choices, " "));
  return takes_file(option) ? "_files" : " ";
}

// Makes one row for each name of the option. A row excludes this option's names, unless the option may be
// repeated, and never the names of another option.
std::string zsh_option(const OptionOutline& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const std::string others = option.takes_many ? "*" : fmt::format("({})", fmt::join(option.names, " "));
    const std::string value =
        option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value), zsh_action(option));
    text += fmt::format(" \\\n        {}",
                        quoted(fmt::format("{}{}[{}]{}", others, name, escaped(option.help), value)));
  }
  return text;
}

std::string zsh_positional(const OptionOutline& option) {
  if (is_command(option)) return " \\\n        '*:::command:_normal'";
  return fmt::format(" \\\n        {}", quoted(fmt::format("{}:{}:{}", option.takes_many ? "*" : "",
                                                           escaped(option.value), zsh_action(option))));
}

std::string zsh_rows(const VerbOutline& verb) {
  std::string text;
  for (const OptionOutline& option : verb.options)
    text += option.positional ? zsh_positional(option) : zsh_option(option);
  return text;
}

std::string zsh_verbs(const std::vector<VerbOutline>& all) {
  std::string text;
  for (const VerbOutline& verb : all)
    if (!verb.name.empty())
      text += fmt::format("        {}\n", quoted(fmt::format("{}:{}", verb.name, escaped(verb.summary))));
  return text;
}

std::string zsh_cases(const std::vector<VerbOutline>& all) {
  std::string text;
  for (const VerbOutline& verb : all)
    if (!verb.name.empty())
      text += fmt::format("    {})\n      _arguments -S{}\n      ;;\n", verb.name, zsh_rows(verb));
  return text;
}

constexpr const char* kZsh = R"(#compdef memomalloc
# zsh completion for memomalloc, made from its own options
_memomalloc() {{
  local curcontext=$curcontext state line
  _arguments -C{} \
        '1:verb:->verb' \
        '*::argument:->argument'
  case $state in
  verb)
    local -a verbs=(
{}    )
    _describe -t commands verb verbs
    ;;
  argument)
    case $line[1] in
{}    esac
    ;;
  esac
}}
_memomalloc "$@"
)";

}  // namespace

std::string bash_completion(const std::vector<VerbOutline>& all) {
  std::string values;
  for (const VerbOutline& verb : all) values += bash_values(verb);
  return fmt::format(kBash, values, bash_options(all), fmt::join(verb_names(all), " "), bash_choices(all),
                     bash_positionals(all));
}

std::string zsh_completion(const std::vector<VerbOutline>& all) {
  return fmt::format(kZsh, zsh_rows(all.front()), zsh_verbs(all), zsh_cases(all));
}

}  // namespace memo::cli
