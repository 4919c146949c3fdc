#include "planner/tool/learn/plan_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "planner/plan/plan_reader.h"
#include "planner/system/on_path.h"
#include "planner/tool/learn/kept_traces.h"
#include "planner/trace/elf_file.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0x100);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void add_byte(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

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

std::string plan_name(const std::vector<std::string>& command) {
  std::error_code error;
  const fs::path program = fs::canonical(process::on_path(command.front()), error);
  Hash hash;
  hash.add(elf::ElfFile(program.string()).build_id());
  hash.add(program.string());
  for (std::size_t i = 1; i < command.size(); ++i) hash.add(command[i]);
  return fmt::format("{}.{:016x}.plan", program.filename().string(), hash.value());
}

namespace {

bool is_current(const fs::path& plan) {
  try {
    const planner::PlanDescription description = planner::read_plan(plan);
    return std::all_of(description.modules.begin(), description.modules.end(), is_there_as_planned);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool has_current_plan(const fs::path& plan, const std::function<void(const std::string&)>& say) {
  std::error_code error;
  if (!fs::exists(plan, error)) return false;
  if (is_current(plan)) return true;
  say(fmt::format("the plan {} is broken or of another build; learning anew", plan.string()));
  fs::remove(plan, error);
  KeptTraces(plan).forget();
  return false;
}

}  // namespace memo::learn
