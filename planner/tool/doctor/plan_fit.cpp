#include "planner/tool/doctor/plan_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "planner/system/base_name.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

using planner::PlanDescription;
using planner::PlanModuleDescription;

// 1/10 of the plan's allocations. Below that share, a missing or rebuilt file hardly changes what is served,
// and is no fault.
constexpr double kWorthAFault = 0.1;

struct Loaded {
  std::set<std::string> ids;
  std::set<std::string> paths;
  std::map<std::string, std::string> id_by_name;
};

Loaded look_at(const std::vector<std::string>& objects) {
  Loaded loaded;
  for (const std::string& path : objects) {
    const std::string id = elf::ElfFile(path).build_id();
    loaded.ids.insert(id);
    loaded.paths.insert(path);
    loaded.id_by_name[std::string(base_name(path))] = id;
  }
  return loaded;
}

std::vector<double> shares_of_modules(const PlanDescription& plan) {
  std::vector<double> shares(plan.modules.size(), 0);
  double all = 0;
  for (const auto& variant : plan.variants) {
    for (const auto& slot : variant.slots) {
      shares[slot.site.module] += 1;
      all += 1;
    }
  }
  for (double& share : shares) share /= std::max(all, 1.0);
  return shares;
}

bool is_there(const PlanModuleDescription& module, const Loaded& loaded) {
  if (module.build_id.empty()) return module.path.empty() || loaded.paths.contains(module.path);
  return loaded.ids.contains(module.build_id);
}

Finding stale(const PlanModuleDescription& module, const std::string& its_id, double share) {
  return {
      share < kWorthAFault ? Level::kAdvice : Level::kFault, "plan",
      fmt::format(
          "{} is another build ({}) than the plan was made from ({}); {:.1f} % of its allocations come from there",
          base_name(module.path), its_id.empty() ? "no build-id" : its_id, module.build_id, 100 * share),
      "memomalloc profile -o new.trace -- COMMAND && memomalloc plan new.trace"};
}

Finding missing(const PlanModuleDescription& module, double share, bool complete) {
  return {complete && share >= kWorthAFault ? Level::kFault : Level::kAdvice, "plan",
          fmt::format("{} was not seen to be loaded; {:.1f} % of the plan's allocations come from there",
                      module.path, 100 * share),
          complete ? "memomalloc profile -o new.trace -- COMMAND && memomalloc plan new.trace"
                   : "let the program get further: --trial 30s"};
}

}  // namespace

Findings examine_fit(const PlanDescription& plan, const std::vector<std::string>& objects, bool complete,
                     bool ran_passes) {
  const Loaded loaded = look_at(objects);
  const std::vector<double> shares = shares_of_modules(plan);
  Findings found;
  for (std::size_t i = 0; i < plan.modules.size(); ++i) {
    const PlanModuleDescription& module = plan.modules[i];
    if (shares[i] == 0 || is_there(module, loaded)) continue;
    const auto same_name = loaded.id_by_name.find(std::string(base_name(module.path)));
    found.push_back(same_name != loaded.id_by_name.end() ? stale(module, same_name->second, shares[i])
                                                         : missing(module, shares[i], complete));
  }
  if (!found.empty()) return found;
  if (ran_passes) return {{Level::kFine, "plan", "it was made from these very builds", ""}};
  found.push_back(
      {Level::kAdvice, "plan",
       "it was made from these very builds; whether it is of this model's passes was not checked, for none ran",
       "send it requests meanwhile: --trial 30s"});
  return found;
}

}  // namespace memo::doctor
