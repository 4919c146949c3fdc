#include "planner/tool/learn/plan_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "planner/plan/plan_reader.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/plan_record.h"
#include "planner/tool/served/found_worth.h"
#include "planner/trace/elf_file.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

bool is_there_as_planned(const planner::PlanModuleDescription& module) {
  if (module.build_id.empty() || module.path.empty()) return true;
  const elf::ElfFile file(module.path);
  return file.valid() && file.build_id() == module.build_id;
}

// Returns true if the folder in which the file lay is gone as well: a package of a compiled model is unpacked into a new
// folder at each start. The library knows such a file by its build-id, wherever it lies.
bool was_unpacked_for_one_start(const planner::PlanModuleDescription& module) {
  std::error_code error;
  return !fs::exists(fs::path(module.path).parent_path(), error);
}

// Returns the first module that is not on the disk as it was, or null.
const planner::PlanModuleDescription* other_build(
    const std::vector<planner::PlanModuleDescription>& modules) {
  const auto is_other = [](const auto& module) {
    return !is_there_as_planned(module) && !was_unpacked_for_one_start(module);
  };
  const auto found = std::ranges::find_if(modules, is_other);
  if (found != modules.end()) return &*found;
  const bool all_gone = !modules.empty() && std::ranges::none_of(modules, is_there_as_planned);
  return all_gone ? &modules.front() : nullptr;
}

}  // namespace

fs::path cache_folder() {
  if (const char* named = std::getenv("XDG_CACHE_HOME"); named != nullptr && *named == '/')
    return fs::path(named) / "memomalloc";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache" / "memomalloc";
  return {};
}

std::string why_stale(const fs::path& plan) {
  try {
    const planner::PlanDescription description = planner::read_plan(plan);
    const planner::PlanModuleDescription* module = other_build(description.modules);
    return module == nullptr ? "" : fmt::format("made from another build of {}", module->path);
  } catch (const std::exception& error) {
    return fmt::format("broken: {}", error.what());
  }
}

bool has_current_plan(const fs::path& plan, const std::function<void(const std::string&)>& say) {
  std::error_code error;
  if (!fs::exists(plan, error)) return false;
  if (why_stale(plan).empty()) return true;
  say(fmt::format("the plan {} is broken or of another build; learning anew", plan.string()));
  fs::remove(plan, error);
  fs::remove(planner::found_worth_path(plan), error);
  remove_record(plan);
  KeptTraces(plan).forget();
  return false;
}

}  // namespace memo::learn
