#include "planner/tool/doctor/trial_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "planner/system/base_name.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

using Words = std::vector<std::string>;

// Returns the rest of each log line that starts with the prefix.
Words after(const Trial& trial, std::string_view prefix) {
  Words remainders;
  for (const std::string& line : trial.log)
    if (line.starts_with(prefix)) remainders.push_back(line.substr(prefix.size()));
  return remainders;
}

Finding could_not_run(const Trial& trial) {
  return {Level::kFault, "trial",
          fmt::format("the command cannot be run: {}", std::strerror(trial.exec_error)),
          "give its path after --"};
}

// Returns what helps where the library keeps out. Of an allocator in front the line itself says what to do. A launcher
// that adds tcmalloc looks for its name in LD_PRELOAD, and adds none where it finds it.
const char* cure_of_keeping_out(std::string_view line) {
  if (line.find("first in LD_PRELOAD") == std::string_view::npos)
    return "run a build of it without an allocator or a checker of its own";
  const bool is_tcmalloc = base_name(line.substr(0, line.find(" stands before "))).starts_with("libtcmalloc");
  return is_tcmalloc ? "ln -s \"$(memomalloc --print-preload)\" libtcmalloc-memomalloc.so && "
                       "MEMOMALLOC_LIBRARY=$PWD/libtcmalloc-memomalloc.so memomalloc doctor -- COMMAND"
                     : "see what sets LD_PRELOAD anew: the program itself, or a launcher of it";
}

// Reports where the library came up. A wrapper that the library keeps out of is no fault if the library came up
// in a process that the wrapper started.
Findings examine_reach(const Seen& seen) {
  const Words reached = after(seen.trial, fmt::format("mode {} in ", seen.mode));
  const Words kept_out = after(seen.trial, "keeping out of ");
  Findings found;
  for (const std::string& line : kept_out)
    found.push_back({reached.empty() ? Level::kFault : Level::kAdvice, "trial",
                     fmt::format("the library keeps out of {}", line), cure_of_keeping_out(line)});
  if (reached.empty() && kept_out.empty())
    found.push_back({Level::kFault, "trial",
                     "the library came up in no process: the environment is cleared, or every program static",
                     "put the server itself after --, without sudo, env -i or a launcher"});
  if (!reached.empty())
    found.push_back({Level::kFine, "trial",
                     fmt::format("the library came up in {}{}", reached.back(),
                                 reached.size() > 1 ? fmt::format(" and {} more", reached.size() - 1) : ""),
                     ""});
  return found;
}

Findings examine_deepbind(const Trial& trial) {
  Findings found;
  for (const std::string& path : after(trial, "took RTLD_DEEPBIND from dlopen of "))
    found.push_back({Level::kFine, "deepbind",
                     fmt::format("{} is opened with RTLD_DEEPBIND, which is taken away: its blocks come "
                                 "from the same heap as all others",
                                 path),
                     ""});
  return found;
}

// Reports Python's engines of which the bootstrap could mark no passes: a line for each package, whichever of its modules
// failed, in however many processes.
Findings examine_marks(const Trial& trial) {
  Findings found;
  std::set<std::string> packages;
  for (const std::string& rest : after(trial, "passes of ")) {
    if (rest.find(" are not marked: ") == std::string::npos) continue;
    if (!packages.insert(rest.substr(0, rest.find_first_of(". "))).second) continue;
    found.push_back(
        {Level::kAdvice, "marks", fmt::format("passes of {}", rest),
         "a version that this one does not know: memomalloc doctor --passes-by period -- COMMAND"});
  }
  return found;
}

Findings examine_refusals(const Trial& trial) {
  Findings found;
  for (const std::string_view what : {"cannot serve from ", "no address space ", "memory for "})
    for (const std::string& rest : after(trial, what))
      found.push_back({Level::kFault, "plan", fmt::format("{}{}", what, rest),
                       "memomalloc doctor --plan FILE, and see memory above"});
  return found;
}

bool has_beginnings(const Trial& trial) {
  if (!after(trial, "hooked ").empty() || !after(trial, "wrapped ").empty()) return true;
  return std::ranges::any_of(trial.objects, [](const std::string& path) {
    return !path.ends_with("/libmemomalloc.so") && elf::ElfFile(path).imports("memo_pass_begin");
  });
}

Finding no_pass(const Trial& trial) {
  static constexpr const char* kName =
      "memomalloc doctor --passes-by period -- COMMAND, or name the function: --pass-symbol 'my_forward*'";
  if (trial.ended_itself)
    return {Level::kFault, "passes",
            "none was seen: the library does not know what a pass is in this program", kName};
  if (has_beginnings(trial))
    return {Level::kAdvice, "passes",
            "none began yet, though the program has functions that are passes: it waits for requests",
            "memomalloc doctor --trial 30s -- COMMAND, and send it some; if it had some: --passes-by period"};
  return {Level::kFault, "passes", "none began, and no function is known that could be one", kName};
}

// Describes passes of which the plan serves less than a half. They may be the warm-up of a JIT.
Finding served_in_part(const std::string& text) {
  return {Level::kAdvice, "passes",
          text + "; unless that was the warm-up, the plan is of another program's passes",
          "memomalloc profile -o new.trace -- COMMAND && memomalloc check PLAN new.trace"};
}

Finding examine_passes(const Seen& seen) {
  constexpr double kLeastServed = 0.5;
  if (seen.share && seen.share->passes > 0 && seen.share->judged.served > 0 &&
      seen.share->judged.share() < kLeastServed)
    return served_in_part(
        fmt::format("{} of them; {} served", seen.share->passes, planner::served_shares(seen.share->judged)));
  if (seen.share && seen.share->passes > 0)
    return {seen.share->judged.served > 0 ? Level::kFine : Level::kFault, "passes",
            fmt::format("{} of them; {} served, warm-up included", seen.share->passes,
                        planner::served_shares(seen.share->judged)),
            seen.share->judged.served > 0
                ? ""
                : "memomalloc profile -o new.trace -- COMMAND && memomalloc plan new.trace"};
  if (seen.passes > 0) return {Level::kFine, "passes", fmt::format("{} were seen", seen.passes), ""};
  return no_pass(seen.trial);
}

Findings examine_end(const Trial& trial) {
  if (!trial.ended_itself || trial.status == 0) return {};
  return {{Level::kFault, "trial",
           fmt::format("the command exited with {}{}{}", trial.status,
                       trial.last_words.empty() ? "" : "; its last words: ", trial.last_words),
           "run it without memomalloc, and see whether it does so too"}};
}

}  // namespace

Findings examine(const Seen& seen) {
  if (seen.trial.exec_error != 0) return {could_not_run(seen.trial)};
  Findings found = examine_reach(seen);
  append(found, examine_end(seen.trial));
  append(found, examine_deepbind(seen.trial));
  append(found, examine_marks(seen.trial));
  append(found, examine_refusals(seen.trial));
  found.push_back(examine_passes(seen));
  append(found, seen.caches);
  return found;
}

}  // namespace memo::doctor
