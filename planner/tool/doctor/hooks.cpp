#include "planner/tool/doctor/hooks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <set>

#include "planner/system/base_name.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

std::vector<HookMatch> rows_for(const std::string& path) {
  std::vector<HookMatch> rows;
  for (const HookedFunctions& row : kHookedFunctions)
    if (base_name(path).starts_with(row.library)) rows.push_back({&row, 0});
  return rows;
}

// The rows of one engine in one file.
struct EngineHooks {
  std::size_t functions = 0;  // that begin a pass
  std::vector<std::string> globs;
};

EngineHooks hooks_of(const std::string& engine, const std::vector<HookMatch>& matches) {
  EngineHooks hooks;
  for (const HookMatch& match : matches) {
    if (match.row->engine != engine || match.row->role != HookedRole::kPass) continue;
    hooks.functions += match.functions;
    hooks.globs.emplace_back(match.row->glob);
  }
  return hooks;
}

Finding describe(const std::string& engine, const EngineHooks& hooks, const std::string& path,
                 bool saw_passes) {
  const std::string_view file = base_name(path);
  if (hooks.functions > 0)
    return {Level::kFine, "hooks",
            fmt::format("{}: functions of {} that begin a pass: {}", file, engine, hooks.functions), ""};
  const std::string text =
      fmt::format("{}: no function of {} matches {}, so this version begins no pass there", file, engine,
                  fmt::join(hooks.globs, " or "));
  if (saw_passes) return {Level::kFine, "hooks", text, ""};
  return {
      Level::kAdvice, "hooks", text,
      fmt::format("nm -DC {}, find the function that runs a pass, and name it: --pass-symbol 'GLOB'", path)};
}

Findings examine_engines_of(const std::string& path, bool saw_passes) {
  const std::vector<HookMatch> matches = hook_matches(path);
  Findings found;
  std::set<std::string> seen;
  for (const HookMatch& match : matches) {
    const std::string engine = match.row->engine;
    if (match.row->role != HookedRole::kPass || !seen.insert(engine).second) continue;
    found.push_back(describe(engine, hooks_of(engine, matches), path, saw_passes));
  }
  return found;
}

}  // namespace

std::vector<HookMatch> hook_matches(const std::string& path) {
  std::vector<HookMatch> rows = rows_for(path);
  if (rows.empty()) return rows;
  elf::ElfFile(path).for_each_exported_function([&](const std::string& function) {
    for (HookMatch& row : rows)
      if (fnmatch(row.row->glob, function.c_str(), 0) == 0) ++row.functions;
  });
  return rows;
}

Findings examine_hooks(const std::vector<std::string>& objects, bool saw_passes) {
  Findings found;
  for (const std::string& path : objects) append(found, examine_engines_of(path, saw_passes));
  return found;
}

}  // namespace memo::doctor
