#include "planner/tool/doctor/plan_fit.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "planner/system/base_name.h"
#include "planner/tool/served/found_worth.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

using planner::PlanDescription;
using planner::PlanModuleDescription;

// Returns the name of the folder below site-packages or dist-packages: "torch" for ".../site-packages/torch/lib/libc10.so".
// The folder in which a wheel keeps its libraries, "torch.libs", is the same package. Returns "" for other files.
std::string_view package_of(std::string_view path) {
  constexpr std::string_view kBelow = "-packages/";
  const std::size_t folder = path.rfind(kBelow);
  if (folder == std::string_view::npos) return "";
  std::string_view package = path.substr(folder + kBelow.size());
  const std::size_t slash = package.find('/');
  if (slash == std::string_view::npos) return "";
  package = package.substr(0, slash);
  constexpr std::string_view kLibraries = ".libs";
  if (package.ends_with(kLibraries)) package.remove_suffix(kLibraries.size());
  return package;
}

// 1/10 of the plan's allocations. Below that share, a missing or rebuilt file hardly changes what is served,
// and is no fault.
constexpr double kWorthAFault = 0.1;

struct Loaded {
  std::set<std::string> ids;
  std::set<std::string> paths;
  std::set<std::string> packages;
  std::map<std::string, std::string> id_by_name;
};

Loaded look_at(const std::vector<std::string>& objects) {
  Loaded loaded;
  for (const std::string& path : objects) {
    const std::string id = elf::ElfFile(path).build_id();
    loaded.ids.insert(id);
    loaded.paths.insert(path);
    loaded.packages.emplace(package_of(path));
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

// The modules of a plan that are not loaded as they were: those of one Python package, or a single one.
struct Misfit {
  std::vector<const PlanModuleDescription*> modules;
  double share = 0;  // of the plan's allocations
};

// Names modules by package, or by path where a module belongs to none.
std::map<std::string, Misfit> misfits_of(const PlanDescription& plan, const Loaded& loaded) {
  const std::vector<double> shares = shares_of_modules(plan);
  std::map<std::string, Misfit> misfits;
  for (std::size_t i = 0; i < plan.modules.size(); ++i) {
    const PlanModuleDescription& module = plan.modules[i];
    if (shares[i] == 0 || is_there(module, loaded)) continue;
    const std::string_view package = package_of(module.path);
    Misfit& misfit = misfits[package.empty() ? module.path : std::string(package)];
    misfit.modules.push_back(&module);
    misfit.share += shares[i];
  }
  return misfits;
}

Level level_of(double share) {
  return share < kWorthAFault ? Level::kAdvice : Level::kFault;
}

constexpr const char* kPlanAnew = "memomalloc profile -o new.trace -- COMMAND && memomalloc plan new.trace";

Finding stale(const PlanModuleDescription& module, const std::string& its_id, double share) {
  return {
      level_of(share), "plan",
      fmt::format(
          "{} is another build ({}) than the plan was made from ({}); {:.1f} % of its allocations come from there",
          base_name(module.path), its_id.empty() ? "no build-id" : its_id, module.build_id, 100 * share),
      kPlanAnew};
}

Finding stale_package(const std::string& package, const Misfit& misfit) {
  return {
      level_of(misfit.share), "plan",
      fmt::format(
          "{} is another version than the plan was made from ({} of its binaries differ); {:.1f} % of the "
          "plan's allocations come from there",
          package, misfit.modules.size(), 100 * misfit.share),
      kPlanAnew};
}

Finding missing(const std::string& what, double share, bool complete) {
  return {complete && share >= kWorthAFault ? Level::kFault : Level::kAdvice, "plan",
          fmt::format("{} was not seen to be loaded; {:.1f} % of the plan's allocations come from there",
                      what, 100 * share),
          complete ? kPlanAnew : "let the program get further: --trial 30s"};
}

Finding describe(const std::string& name, const Misfit& misfit, const Loaded& loaded, bool complete) {
  const PlanModuleDescription& first = *misfit.modules.front();
  const bool is_alone = misfit.modules.size() == 1;
  const auto same_name = loaded.id_by_name.find(std::string(base_name(first.path)));
  if (is_alone && same_name != loaded.id_by_name.end()) return stale(first, same_name->second, misfit.share);
  if (loaded.packages.contains(name)) return stale_package(name, misfit);
  return missing(is_alone ? first.path : name, misfit.share, complete);
}

}  // namespace

Findings examine_fit(const PlanDescription& plan, const std::vector<std::string>& objects, bool complete,
                     bool ran_passes) {
  const Loaded loaded = look_at(objects);
  Findings found;
  for (const auto& [name, misfit] : misfits_of(plan, loaded))
    found.push_back(describe(name, misfit, loaded, complete));
  if (!found.empty()) return found;
  if (ran_passes) return {{Level::kFine, "plan", "it was made from these very builds", ""}};
  found.push_back(
      {Level::kAdvice, "plan",
       "it was made from these very builds; whether it is of this model's passes was not checked, for none ran",
       "send it requests meanwhile: --trial 30s"});
  return found;
}

// Is no fault where serving harms: it stands aside by itself.
Findings examine_worth(const std::filesystem::path& plan) {
  const auto worth = planner::read_found_worth(plan);
  if (!worth) return {};
  if (!worth->harms) return {{Level::kFine, "worth", worth->sentence, ""}};
  return {
      {Level::kAdvice, "worth", worth->sentence,
       "memomalloc cache clear NAME, where the program does something else by now; else leave it: serving stands aside"}};
}

}  // namespace memo::doctor
