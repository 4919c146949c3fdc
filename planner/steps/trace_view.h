// Shows several traces under one numbering of modules.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/steps/variants.h"

namespace memo::planner {

// Returns what tells the file from others: the build-id, or the path of a file without one.
inline const std::string& identity_of(const Module& module) {
  return module.build_id.empty() ? module.path : module.build_id;
}

// Numbers modules. Two files with the same build-id are one module, wherever they lay; a module without a
// build-id is known by its path.
class ModuleTable {
 public:
  std::uint32_t add(const Module& module) {
    const auto [at, added] =
        index_.try_emplace(identity_of(module), static_cast<std::uint32_t>(modules_.size()));
    if (added) modules_.push_back(module);
    return at->second;
  }
  std::vector<Module> release() { return std::move(modules_); }

 private:
  std::vector<Module> modules_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

// A trace seen through the common numbering.
struct TraceView {
  const Trace* trace = nullptr;
  std::vector<std::uint32_t> modules;  // module of the trace → module of the common numbering

  TraceView(const Trace& source, ModuleTable& table) : trace(&source) {
    for (const Module& module : source.modules) modules.push_back(table.add(module));
  }
  [[nodiscard]] PlanSite site(const Site& site) const {
    return {.module = site.module < modules.size() ? modules[site.module] : kNone, .offset = site.offset};
  }
};

}  // namespace memo::planner
