#include "planner/tool/learn/plan_cache.h"

#include <fmt/format.h>

#include <cstdlib>

#include "planner/plan/plan_reader.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/tool/learn/plan_record.h"
#include "planner/trace/elf_file.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

bool is_there_as_planned(const planner::PlanModuleDescription& module) {
  if (module.build_id.empty() || module.path.empty()) return true;
  const elf::ElfFile file(module.path);
  return file.valid() && file.build_id() == module.build_id;
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
    for (const planner::PlanModuleDescription& module : description.modules)
      if (!is_there_as_planned(module)) return fmt::format("made from another build of {}", module.path);
    return "";
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
  remove_record(plan);
  KeptTraces(plan).forget();
  return false;
}

}  // namespace memo::learn
