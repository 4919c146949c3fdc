#include "planner/tool/cli/texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "planner/tool/cli/completion.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/cli/manual.h"
#include "planner/tool/cli/outline.h"
#include "runtime/formats/guest_options.h"

namespace memo::cli {
namespace {

// Returns "memomalloc" or "memomalloc-plan".
std::string man_name(const VerbOutline& verb) {
  return verb.name.empty() ? "memomalloc" : "memomalloc-" + verb.name;
}

// Escapes text for roff. Hyphens become minus signs, so that what is copied from the page can be typed. No line
// begins like a roff request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string section(std::string_view title, const std::string& body) {
  return fmt::format(".SH {}\n{}", title, body);
}

std::string item(const std::string& term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, roff(text));
}

std::string rows(std::span<const ManualRow> table) {
  std::string text;
  for (const ManualRow& row : table) text += item(fmt::format("\\fB{}\\fR", roff(row.name)), row.text);
  return text;
}

const ManualRow* manual_of(const std::string& verb) {
  const auto found = std::ranges::find(kVerbManual, verb, &ManualRow::name);
  return found == std::end(kVerbManual) ? nullptr : &*found;
}

std::string term_of(const OptionOutline& option) {
  if (option.positional) return fmt::format("\\fI{}\\fR", roff(option.value));
  std::vector<std::string> names;
  names.reserve(option.names.size());
  for (const std::string& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  const std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format("{}{}", fmt::join(names, ", "), value);
}

std::string options_of(const VerbOutline& verb) {
  std::string text;
  for (const OptionOutline& option : verb.options) text += item(term_of(option), option.help);
  return text;
}

std::string synopsis_of(const VerbOutline& verb) {
  std::string text =
      verb.name.empty() ? ".B memomalloc\n" : fmt::format(".B memomalloc {}\n", roff(verb.name));
  text += "[\\fIOPTIONS\\fR]";
  for (const OptionOutline& option : verb.options) {
    if (!option.positional) continue;
    text += fmt::format(" {}\\fI{}\\fR", is_command(option) ? "\\-\\- " : "", roff(option.value));
  }
  if (verb.name.empty()) text += " \\fIVERB\\fR ...";
  return text + "\n";
}

std::string variables() {
  std::string text =
      "The library reads these in the process it is preloaded into; the options of profile and serve set them. In "
      "containers and unit files they stand for the command.\n";
  for (const GuestOption& row : kGuestOptions) {
    const std::string value = *row.value == '\0' ? "0|1" : row.value;
    const std::string fallback = *row.fallback == '\0' ? "" : fmt::format(" [{}]", row.fallback);
    text += item(fmt::format("\\fB{}\\fR=\\fI{}\\fR", roff(row.variable), roff(value)), row.help + fallback);
  }
  return text + rows(kHeapVariables) + ".PP\nThe command itself reads:\n" + rows(kToolVariables) +
         ".PP\nIn a Python program, the store of plans reads:\n" + rows(kStoreVariables);
}

std::string verbs_of(const std::vector<VerbOutline>& all) {
  std::string text;
  for (const VerbOutline& verb : all)
    if (!verb.name.empty())
      text += item(fmt::format("\\fBmemomalloc\\-{}\\fR(1)", roff(verb.name)), verb.summary);
  return text;
}

std::string see_also(const std::vector<VerbOutline>& all, const VerbOutline& self) {
  std::vector<std::string> pages;
  for (const VerbOutline& verb : all)
    if (verb.name != self.name) pages.push_back(fmt::format("\\fB{}\\fR(1)", roff(man_name(verb))));
  return fmt::format("{}\n", fmt::join(pages, ", "));
}

std::string overview(const std::vector<VerbOutline>& all) {
  return section(
             "DESCRIPTION",
             "A CPU inference server repeats the same forward pass, and its allocator pays for the same few thousand "
             "allocations every time. The library is preloaded into the server; profile records some passes, plan solves "
             "where each allocation should lie, serve answers with those addresses. A plan can be wrong, stale or missing, "
             "and the program still computes the right thing.\n") +
         section("VERBS", verbs_of(all));
}

std::string description_of(const VerbOutline& verb) {
  const ManualRow* manual = manual_of(verb.name);
  return section("DESCRIPTION", roff(manual != nullptr ? manual->text : verb.summary) + "\n");
}

std::string example_of(const VerbOutline& verb) {
  const ManualRow* manual = manual_of(verb.name);
  return manual == nullptr ? "" : section("EXAMPLES", fmt::format(".nf\n{}\n.fi\n", roff(manual->example)));
}

// Returns one man page in roff. `all` is the whole command line, `verb` one of its elements.
std::string man_page(const std::vector<VerbOutline>& all, const VerbOutline& verb) {
  const std::string name = man_name(verb);
  std::string page = fmt::format(".TH {} 1 \"\" \"memomalloc {}\" \"MemoMalloc\"\n.nh\n.ad l\n", roff(name),
                                 MEMOMALLOC_VERSION);
  page += section("NAME", fmt::format("{} \\- {}\n", roff(name), roff(verb.summary)));
  page += section("SYNOPSIS", synopsis_of(verb));
  page += verb.name.empty() ? overview(all) : description_of(verb);
  page += section("OPTIONS", options_of(verb));
  if (verb.name.empty()) page += section("ENVIRONMENT", variables());
  page += section("EXIT STATUS", rows(kExitStatuses));
  page += example_of(verb);
  return page + section("SEE ALSO", see_also(all, verb));
}

namespace fs = std::filesystem;

void write_below(const fs::path& folder, const std::string& name, const std::string& text) {
  fs::create_directories(folder);
  write_output((folder / name).string(), text);
}

}  // namespace

void write_texts(const CLI::App& app, const fs::path& folder) {
  const std::vector<VerbOutline> all = outline_of(app);
  for (const VerbOutline& verb : all)
    write_below(folder / "man/man1", man_name(verb) + ".1", man_page(all, verb));
  write_below(folder / "bash-completion/completions", "memomalloc", bash_completion(all));
  write_below(folder / "zsh/site-functions", "_memomalloc", zsh_completion(all));
}

}  // namespace memo::cli
